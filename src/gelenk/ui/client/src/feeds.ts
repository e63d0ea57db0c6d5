/** Growing data outside the framework: lines, events and curves. */

import { signal, type Signal } from "@preact/signals";

const PERIOD = 100; // ms between two redraws of a growing list

/** A counter that components watch; bumped at most ten times a second, never late. */
class Version {
  readonly value: Signal<number> = signal(0);
  private timer = 0;

  bump(): void {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.value.value += 1;
    }, PERIOD);
  }
}

/** Numbered items of a scene; the oldest are forgotten beyond a limit. */
export class Feed<T> {
  /** The kept items; the number of the first of them is `first`. */
  items: T[] = [];
  first = 0;
  private readonly changes = new Version();

  constructor(private readonly limit: number) {}

  /** Read it in a component to be drawn again when items came. */
  get version(): number {
    return this.changes.value.value;
  }

  /** Number of the next item. */
  get end(): number {
    return this.first + this.items.length;
  }

  /** Puts items at their numbers; what was there and behind them is replaced. */
  place(start: number, items: readonly T[]): void {
    if (start < this.first || start > this.end) {
      this.items = [];
      this.first = start;
    }
    this.items.length = start - this.first;
    for (const item of items) this.items.push(item);
    const surplus = this.items.length - this.limit;
    if (surplus > this.limit / 10) {
      this.items.splice(0, surplus);
      this.first += surplus;
    }
    this.changes.bump();
  }

  clear(): void {
    this.items = [];
    this.first = 0;
    this.changes.bump();
  }
}

/** Numbers that came as text: float32, little endian, as base64. */
export function unpackValues(text: string): Float32Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** The curves of a scene: one column of values per signal. */
export class Samples {
  /** [s], ascending. */
  times: number[] = [];
  columns: (number | null)[][] = [];
  private readonly changes = new Version();
  private limit = 0;

  /** Keeps so many values of all curves together, but never more than `longest` rows. */
  constructor(
    private readonly values: number,
    private readonly longest: number,
  ) {}

  get version(): number {
    return this.changes.value.value;
  }

  /** Forgets everything and makes room for so many curves. */
  reset(count: number): void {
    this.limit = Math.min(this.longest, Math.ceil(this.values / Math.max(count, 1)));
    this.times = [];
    this.columns = Array.from({ length: count }, () => []);
    this.changes.bump();
  }

  /** Appends rows; a run that was put back overwrites its former future. */
  append(times: readonly number[], values: Float32Array): void {
    const start = times[0];
    if (start === undefined) return;
    let keep = this.times.length;
    while (keep > 0 && this.times[keep - 1]! >= start) keep -= 1;
    if (keep < this.times.length) this.cut(keep);
    const width = this.columns.length;
    times.forEach((time, index) => {
      this.times.push(time);
      this.columns.forEach((column, place) => {
        const value = values[index * width + place];
        column.push(value === undefined || Number.isNaN(value) ? null : value);
      });
    });
    const surplus = this.times.length - this.limit;
    if (surplus > this.limit / 10) {
      this.times.splice(0, surplus);
      for (const column of this.columns) column.splice(0, surplus);
    }
    this.changes.bump();
  }

  private cut(length: number): void {
    this.times.length = length;
    for (const column of this.columns) column.length = length;
  }
}
