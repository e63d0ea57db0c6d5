/** Choosing a place in the 3-D view by a click; Escape ends it without one. */

import { effect, signal, type Signal } from "@preact/signals";
import { view } from "./stage";
import { store } from "./store";

export interface Picking {
  /** Name of the action that wants it. */
  readonly action: string;
  readonly title: string;
  /** Of the plane [m]. */
  readonly height: number;
  onPick(x: number, y: number): void;
}

export const picking: Signal<Picking | null> = signal(null);

export function startPicking(wish: Picking): void {
  picking.value = wish;
}

/** Ends it, or only that of one action. */
export function endPicking(action: string | null = null): void {
  if (action === null || picking.peek()?.action === action) picking.value = null;
}

effect(() => {
  const wish = picking.value;
  view.value?.pickGround(
    wish && {
      height: wish.height,
      onPick: (x, y) => {
        endPicking();
        wish.onPick(x, y);
      },
      onCancel: () => endPicking(),
    },
  );
});

effect(() => {
  void store.scene.value;
  picking.value = null;
});

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !picking.peek()) return;
    event.stopPropagation();
    endPicking();
  },
  true,
);
