/** The camera over time: moved by a person, on its way to a view, or after a body. */

import type { Vec3 } from "../protocol";
import { between, type Orbit } from "./orbit";

export const TURN = 320; // ms, to another view
const START: Orbit = { focus: [0, 0, 0.2], distance: 3, azimuth: -Math.PI / 3, elevation: 0.5 };

export class Traveller {
  orbit: Orbit = START;
  /** Number of the body that is followed, -1: none. */
  followed = -1;
  private from: Orbit = START;
  private to: Orbit | null = null;
  private start = 0;
  private offset: Vec3 = [0, 0, 0];

  /** Takes a camera that a person has moved; who moves the focus follows no more. */
  move(orbit: Orbit, isFocusMoved: boolean): void {
    this.orbit = orbit;
    this.to = null;
    if (isFocusMoved) this.followed = -1;
  }

  /** Goes to a camera, at once or within a short time. Times in ms. */
  travel(to: Orbit, now: number, isAtOnce = false): void {
    this.followed = -1;
    if (isAtOnce) {
      this.orbit = to;
      this.to = null;
      return;
    }
    this.from = this.orbit;
    this.to = to;
    this.start = now;
  }

  /** Keeps a body in the middle from now on; -1 ends it. */
  follow(body: number, at: Vec3 | null, now: number): void {
    this.to = null;
    this.followed = at ? body : -1;
    if (!at) return;
    this.offset = this.orbit.focus.map((value, k) => value - at[k]!) as Vec3;
    this.start = now;
  }

  /** Brings the camera to a time; returns whether it goes on by itself. */
  advance(now: number, at: Vec3 | null): boolean {
    const share = (now - this.start) / TURN;
    if (this.to) {
      this.orbit = between(this.from, this.to, share);
      if (share >= 1) this.to = null;
      return share < 1;
    }
    if (this.followed < 0 || !at) return false;
    const rest = share >= 1 ? 0 : (1 - share) ** 2;
    const focus = at.map((value, k) => value + rest * this.offset[k]!) as Vec3;
    this.orbit = { ...this.orbit, focus };
    return share < 1;
  }
}
