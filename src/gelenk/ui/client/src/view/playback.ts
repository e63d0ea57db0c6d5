/** What is shown between two frames: the way from one to the next, never beyond it. */

import type { Frame } from "../frame";
import { POSE } from "./pose";

const TELEPORT = 0.5; // m; who moves farther between two frames was put there
const LONGEST = 150; // ms; a longer pause between two frames is not played slowly
const SMOOTHING = 0.15;

/** Whether the second frame follows the first in one run, so that the way is shown. */
export function follows(first: Frame | null, second: Frame): boolean {
  return (
    first !== null &&
    !second.isAsked &&
    !first.isAsked &&
    first.scene === second.scene &&
    first.poses.length === second.poses.length &&
    second.tick > first.tick
  );
}

/** Writes poses between two arrays of poses, `share` 0 to 1. */
export function mixPoses(
  out: Float32Array,
  from: Float32Array,
  to: Float32Array,
  share: number,
): void {
  const rest = 1 - share;
  for (let i = 0; i < to.length; i += POSE) {
    const dx = to[i]! - from[i]!;
    const dy = to[i + 1]! - from[i + 1]!;
    const dz = to[i + 2]! - from[i + 2]!;
    if (share >= 1 || dx * dx + dy * dy + dz * dz > TELEPORT * TELEPORT) {
      for (let k = 0; k < POSE; k += 1) out[i + k] = to[i + k]!;
      continue;
    }
    out[i] = from[i]! + share * dx;
    out[i + 1] = from[i + 1]! + share * dy;
    out[i + 2] = from[i + 2]! + share * dz;
    let dot = 0;
    for (let k = 3; k < POSE; k += 1) dot += from[i + k]! * to[i + k]!;
    const sign = dot < 0 ? -1 : 1; // q and -q are one rotation: the shorter way
    let norm = 0;
    for (let k = 3; k < POSE; k += 1) {
      const value = rest * from[i + k]! + share * sign * to[i + k]!;
      out[i + k] = value;
      norm += value * value;
    }
    norm = Math.sqrt(norm);
    if (norm > 1e-6) for (let k = 3; k < POSE; k += 1) out[i + k]! /= norm;
  }
}

/** Holds the frames between which the picture is; times are wall times [ms]. */
export class Playback {
  /** Poses that are shown, n x 7. */
  poses = new Float32Array(0);
  /** The newest frame, towards which the picture goes. */
  frame: Frame | null = null;
  private from = new Float32Array(0);
  private start = 0;
  private interval = 1000 / 60;
  private isThere = true;

  /** Takes in a frame that came at a time. */
  push(frame: Frame, now: number): void {
    const isNext = follows(this.frame, frame);
    const pause = now - this.start;
    if (isNext) {
      this.advance(now); // a picture that was not drawn for long has arrived meanwhile
      this.from.set(this.poses);
      const measured = Math.min(Math.max(pause, 1), LONGEST);
      this.interval += SMOOTHING * (measured - this.interval);
    } else {
      this.from = frame.poses.slice();
      this.poses = frame.poses.slice();
    }
    this.frame = frame;
    this.start = now;
    this.isThere = !isNext;
  }

  /** Brings the poses to a time; returns whether they still have a way to go. */
  advance(now: number): boolean {
    if (!this.frame || this.isThere) return false;
    const share = Math.min(Math.max((now - this.start) / this.interval, 0), 1);
    mixPoses(this.poses, this.from, this.frame.poses, share);
    this.isThere = share >= 1;
    return !this.isThere;
  }

  /** Forgets everything: another scene. */
  clear(): void {
    this.frame = null;
    this.poses = new Float32Array(0);
    this.from = new Float32Array(0);
    this.isThere = true;
  }
}
