/** The 3-D view. */

import { effect } from "@preact/signals";
import type { Store } from "../store";
import { chooseQuality, readRenderer } from "./quality";
import type { View, ViewInfo } from "./types";
import { View3d } from "./view3d";
import "./view.css";

export type { Overlay } from "./overlay";
export type { GroundWish, Target, View, ViewInfo, ViewName } from "./types";

/** Draws the scene of the store into an element. */
export function mountView(parent: HTMLElement, store: Store): View {
  let view: View3d;
  try {
    view = new View3d(parent, chooseQuality(location.search, readRenderer));
  } catch (error) {
    return blindView(parent, error);
  }
  const ends = [
    effect(() => view.setFlags(store.settings.value.flags)),
    effect(() => {
      view.setScene(store.scene.value);
      const frame = store.frames.latest();
      if (frame) view.show(frame);
    }),
    effect(() => {
      void store.theme.value;
      view.repaint();
    }),
    store.frames.onFrame((frame) => view.show(frame)),
  ];
  const free = view.dispose.bind(view);
  view.dispose = () => {
    for (const end of ends) end();
    free();
  };
  return view;
}

/** Says why there is no picture; the rest of the page works without. */
function blindView(parent: HTMLElement, error: unknown): View {
  const note = document.createElement("p");
  note.className = "view-note";
  note.setAttribute("role", "status");
  const reason = error instanceof Error ? error.message : String(error);
  note.textContent = `This browser cannot draw in three dimensions (WebGL 2): ${reason}`;
  parent.classList.add("view");
  parent.append(note);
  const info: ViewInfo = {
    frames: 0,
    bodies: 0,
    fps: 0,
    camera: { focus: [0, 0, 0], distance: 1, azimuth: 0, elevation: 0 },
    quality: "none",
    ratio: 1,
    calls: 0,
    triangles: 0,
    geometries: 0,
    textures: 0,
    isFetching: false,
    selected: null,
    followed: null,
    place: () => null,
    project: () => null,
    target: null,
  };
  return {
    canvas: document.createElement("canvas"),
    target: null,
    dispose() {
      note.remove();
      parent.classList.remove("view");
    },
    setView() {},
    focusOn() {},
    select() {},
    setOverlays() {},
    setScreen() {},
    pickGround() {},
    screenshot: () => Promise.reject(new Error("There is no picture.")),
    testInfo: () => info,
  };
}
