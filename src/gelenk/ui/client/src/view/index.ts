/** The 3-D view. */

import type { Store } from "../store";
import type { View } from "./types";

export type { Target, View, ViewInfo, ViewName } from "./types";

/** Draws the scene of the store into an element. */
export function mountView(parent: HTMLElement, store: Store): View {
  const canvas = document.createElement("canvas");
  parent.append(canvas);
  let frames = 0;
  const end = store.frames.onFrame(() => (frames += 1));
  return {
    canvas,
    target: null,
    dispose() {
      end();
      canvas.remove();
    },
    setView() {},
    focusOn() {},
    screenshot: () =>
      new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
      ),
    testInfo: () => ({ frames, bodies: store.scene.value?.bodies.length ?? 0, fps: 0 }),
  };
}
