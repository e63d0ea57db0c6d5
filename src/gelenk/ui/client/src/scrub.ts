/** Looking at the past: moves between moments, one request at a time, the latest wins. */

import { signal, type Signal } from "@preact/signals";
import { net } from "./net";
import { store } from "./store";

let wanted: number | null = null;
let isBusy = false;

/** Whether the past is being played. */
export const isReplaying: Signal<boolean> = signal(false);

/** Why the run cannot go on from the shown moment, or empty. */
export const refusal: Signal<string> = signal("");

/** Physics ticks of one control tick. */
export function controlTicks(): number {
  const scene = store.scene.value;
  return scene ? Math.max(1, Math.round(scene.period / scene.step)) : 1;
}

/** The newest tick that can be looked at. */
export function newestTick(): number {
  return Math.max(store.status.value.tick, store.frames.live()?.tick ?? 0);
}

/** Shows the moment at or just before a tick. */
export function scrubTo(tick: number): void {
  const first = store.status.value.first_tick;
  const target = Math.round(Math.max(first, Math.min(newestTick(), tick)));
  store.frames.shown.value = target;
  refusal.value = "";
  wanted = target;
  if (!isBusy) void fetchWanted();
}

/** Shows the moment some ticks away from the shown one. */
export function scrubBy(ticks: number): void {
  isReplaying.value = false;
  const shown = store.frames.shown.value;
  const from = shown === "live" ? newestTick() : shown;
  if (shown === "live" && ticks > 0) return;
  if (from + ticks > newestTick()) backToLive();
  else scrubTo(from + ticks);
}

export function backToLive(): void {
  wanted = null;
  isReplaying.value = false;
  refusal.value = "";
  store.frames.backToLive();
}

async function fetchWanted(): Promise<void> {
  isBusy = true;
  while (wanted !== null && store.frames.shown.value !== "live") {
    const tick = wanted;
    wanted = null;
    const answer = await net.getFrame(tick);
    if ("ok" in answer) {
      store.notify(answer.message || "This moment is not kept.", "error");
      backToLive();
    }
  }
  isBusy = false;
}

/** Plays the past from the shown moment on, in real time, until the present. */
export function replay(): void {
  const from = store.frames.shown.value;
  const scene = store.scene.value;
  if (from === "live" || !scene || isReplaying.value) return;
  isReplaying.value = true;
  const begin = performance.now();
  const advance = () => {
    if (!isReplaying.value || store.frames.shown.value === "live") {
      isReplaying.value = false;
      return;
    }
    const tick = from + (performance.now() - begin) / 1000 / scene.step;
    if (tick >= newestTick()) {
      backToLive();
      return;
    }
    scrubTo(tick);
    requestAnimationFrame(advance);
  };
  requestAnimationFrame(advance);
}

export function endReplay(): void {
  isReplaying.value = false;
}

/** Puts the run back to the shown moment; the server says why where it cannot. */
export async function continueFromHere(): Promise<void> {
  const shown = store.frames.shown.value;
  if (shown === "live") return;
  isReplaying.value = false;
  const reply = await net.request("continue_from", { tick: shown });
  if (reply.ok) backToLive();
  else if (store.frames.shown.value !== "live")
    refusal.value = reply.message || "The run cannot be put back to this moment.";
}
