/** How sharp the picture may be, so that it stays fluent. */

const SLOW = 50; // ms between two drawn frames
const FAST = 24;
const STEPS = [1, 0.8, 0.65, 0.5];
const PATIENCE = 6; // slow frames in a row before a step down
const RECOVERY = 240; // fast frames in a row before a step up

/** Watches the time between frames and chooses a share of the pixel ratio. */
export class Governor {
  private step = 0;
  private slow = 0;
  private fast = 0;
  private tries = 0;

  /** Share of the pixels per side of the screen that are drawn. */
  get share(): number {
    return STEPS[this.step]!;
  }

  /** How many frames share one drawing of the shadows. */
  get shadowPeriod(): number {
    return this.step === 0 ? 1 : this.step + 1;
  }

  /** Takes in the time since the last frame [ms]; returns whether the share changed. */
  note(elapsed: number): boolean {
    this.slow = elapsed > SLOW ? this.slow + 1 : 0;
    this.fast = elapsed < FAST ? this.fast + 1 : 0;
    if (this.slow >= PATIENCE && this.step < STEPS.length - 1) {
      this.step += 1;
      this.slow = 0;
      return true;
    }
    // Each way up that failed makes the next one wait longer: nothing flickers.
    if (this.fast >= RECOVERY * 2 ** this.tries && this.step > 0) {
      this.step -= 1;
      this.fast = 0;
      this.tries = Math.min(this.tries + 1, 6);
      return true;
    }
    return false;
  }
}
