/** What tests look at: `window.__gelenk`. */

import { view } from "./stage";
import { store } from "./store";

export interface Hook {
  /** A frame of the open scene has been drawn, and all its meshes are there. */
  readonly ready: boolean;
  /** Frames received since the page was loaded. */
  readonly frames: number;
  readonly drawn: number;
  readonly bodies: number;
  readonly fps: number;
  readonly scene: string;
  readonly tick: number;
  /** Where the target to drag is in the page [px], or null. */
  readonly target: readonly [number, number] | null;
  /** Names of what the robot draws into the view. */
  readonly overlays: readonly string[];
  /** Where a point of the world is in the page [px], or null. */
  project(x: number, y: number, z: number): readonly [number, number] | null;
  readonly errors: readonly string[];
}

declare global {
  interface Window {
    __gelenk: Hook;
  }
}

export function installHook(): void {
  const errors: string[] = [];
  window.addEventListener("error", (event) => errors.push(event.message));
  window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  const info = () => view.peek()?.testInfo() ?? { frames: 0, bodies: 0, fps: 0, isFetching: false };
  window.__gelenk = {
    get ready() {
      return store.frames.latest() !== null && info().frames > 0 && !info().isFetching;
    },
    get frames() {
      return store.frames.count;
    },
    get drawn() {
      return info().frames;
    },
    get bodies() {
      return info().bodies;
    },
    get fps() {
      return info().fps;
    },
    get scene() {
      return store.scene.peek()?.name ?? "";
    },
    get tick() {
      return store.frames.latest()?.tick ?? -1;
    },
    get target() {
      const shown = view.peek();
      const place = shown?.testInfo().target;
      if (!shown || !place) return null;
      const { left, top } = shown.canvas.getBoundingClientRect();
      return [left + place[0], top + place[1]] as const;
    },
    get overlays() {
      return store.exhibit.overlayNames.peek();
    },
    project(x, y, z) {
      const shown = view.peek();
      const place = shown?.testInfo().project([x, y, z]);
      if (!shown || !place) return null;
      const { left, top } = shown.canvas.getBoundingClientRect();
      return [left + place[0], top + place[1]] as const;
    },
    errors,
  };
}
