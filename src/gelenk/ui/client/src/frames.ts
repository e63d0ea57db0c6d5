/** Which moment is shown: the live one, or one of the past. */

import { signal, type Signal } from "@preact/signals";
import type { Frame } from "./frame";

export type Shown = "live" | number;

const SLACK = 10_000; // ticks that frames may be ahead of the state that is told

/** Hands frames to those who draw; hot data, outside the framework. */
export class Frames {
  /** "live", or the tick that a person has scrubbed to. */
  readonly shown: Signal<Shown> = signal("live");
  /** Frames received since the page was loaded. */
  count = 0;
  private newest: Frame | null = null;
  private drawn: Frame | null = null;
  private readonly listeners = new Set<(frame: Frame) => void>();

  /** Calls back with every frame that is to be drawn; returns how to end that. */
  onFrame(callback: (frame: Frame) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  /** The frame that is shown. */
  latest(): Frame | null {
    return this.drawn;
  }

  /** The newest frame of the run, shown or not. */
  live(): Frame | null {
    return this.newest;
  }

  accept(frame: Frame): void {
    this.count += 1;
    if (frame.isAsked) {
      if (this.shown.value !== "live") this.show(frame);
      return;
    }
    this.newest = frame;
    if (this.shown.value === "live") this.show(frame);
  }

  backToLive(): void {
    this.shown.value = "live";
    if (this.newest) this.show(this.newest);
  }

  /** The run was put back: a later moment no longer exists. */
  forgetFuture(tick: number): void {
    const shown = this.shown.value;
    if (shown !== "live" && shown > tick + SLACK) this.backToLive();
  }

  /** Forgets all frames: another scene. */
  clear(): void {
    this.shown.value = "live";
    this.newest = null;
    this.drawn = null;
  }

  private show(frame: Frame): void {
    this.drawn = frame;
    for (const listener of this.listeners) listener(frame);
  }
}
