/** How much a picture may hold, so that what moves stays fluent. */

import type { Quality } from "./quality";

const SLOW = 36; // ms between two drawn pictures, on average: below 30 per second
const FAST = 26;
const LONGEST = 100; // ms; what takes longer says nothing about drawing
const PATIENCE = 24; // pictures that are averaged
const SETTLING = 40; // pictures of the beginning that say nothing
const RECOVERY = 180; // pictures with a fast average before a step up

export interface Level {
  /** Share of the pixels per side of the screen that are drawn. */
  readonly share: number;
  /** How many pictures share one drawing of the shadows; 0: there are none. */
  readonly shadowPeriod: number;
}

const level = (share: number, shadowPeriod: number): Level => ({ share, shadowPeriod });

/** From the best to the cheapest. */
export const LEVELS: Readonly<Record<Quality, readonly Level[]>> = {
  high: [level(1, 1), level(0.8, 2), level(0.65, 3), level(0.5, 4)],
  // Without a graphics card shadows cost half of a picture; blur is worse than none.
  medium: [level(1, 1), level(1, 4), level(1, 0), level(0.8, 0), level(0.65, 0), level(0.5, 0)],
  low: [level(1, 0), level(0.8, 0), level(0.65, 0), level(0.5, 0)],
};

/** Where each begins: who has no graphics card waits for nothing better. */
const START: Readonly<Record<Quality, number>> = { high: 0, medium: 1, low: 0 };

/** Watches the time between pictures and chooses a level. */
export class Governor {
  private readonly levels: readonly Level[];
  private step: number;
  private readonly recent: number[] = [];
  private noted = 0;
  private fast = 0;
  private tries = 0;

  constructor(quality: Quality) {
    this.levels = LEVELS[quality];
    this.step = START[quality];
  }

  get level(): Level {
    return this.levels[this.step]!;
  }

  /** Takes in the time since the last picture [ms]; returns whether the level changed. */
  note(elapsed: number): boolean {
    this.noted += 1;
    if (this.noted <= SETTLING) return false;
    this.recent.push(Math.min(elapsed, LONGEST));
    if (this.recent.length < PATIENCE) return false;
    if (this.recent.length > PATIENCE) this.recent.shift();
    const mean = this.recent.reduce((sum, value) => sum + value, 0) / PATIENCE;
    this.fast = mean < FAST ? this.fast + 1 : 0;
    if (mean > SLOW && this.step < this.levels.length - 1) return this.go(1);
    // Each way up that failed makes the next one wait longer: nothing flickers.
    if (this.fast < RECOVERY * 2 ** this.tries || this.step === 0) return false;
    this.tries = Math.min(this.tries + 1, 6);
    return this.go(-1);
  }

  private go(steps: number): boolean {
    this.step += steps;
    this.recent.length = 0;
    this.fast = 0;
    return true;
  }
}
