/** Puts what the robot shows into the 3-D view. */

import { effect } from "@preact/signals";
import { CAPTION, type Overlay as Shown } from "./exhibit";
import { PALETTE } from "./palette";
import { settings } from "./settings";
import { view } from "./stage";
import { store } from "./store";
import type { Overlay } from "./view/overlay";

const GIVER = "exhibit";

/** The drawings of an overlay. */
export function drawingsOf(item: Shown): Overlay[] {
  const color = PALETTE[item.color];
  switch (item.kind) {
    case "points":
      return item.at.map((position) => ({
        kind: "point",
        position,
        radius: item.radius,
        color,
      }));
    case "path":
      return [{ kind: "line", points: item.at.flat(), color, opacity: item.opacity }];
    case "tube":
      return [
        { kind: "tube", points: item.at.flat(), radii: item.radii, color, opacity: item.opacity },
      ];
    case "polygon":
      return [{ kind: "polygon", points: item.corners.flat(), color, opacity: item.opacity }];
    case "arrows":
      return item.starts.map((from, i) => ({
        kind: "arrow",
        from,
        along: item.vectors[i] ?? [0, 0, 0],
        radius: item.radius,
        color,
      }));
    case "spheres":
      return item.centers.map((position, i) => ({
        kind: "sphere",
        position,
        radius: item.radii[i] ?? 0,
        color,
        opacity: item.opacity,
      }));
    case "texts":
      return item.at.map((at, i) => ({ kind: "text", at, text: item.texts[i] ?? "", color }));
  }
}

/** Begins to draw; overlays belong to the present, so that the past is without. */
export function drawExhibit(): void {
  effect(() => {
    void store.scene.value; // whose drawings have gone with it
    const isLive = store.frames.shown.value === "live";
    const { overlays, hidden } = store.exhibit;
    const items = isLive ? overlays.value.filter(({ name }) => name !== CAPTION && !hidden.value.has(name)) : [];
    view.value?.setOverlays(GIVER, items.flatMap(drawingsOf));
  });
  effect(() => {
    const isOn = settings.value.areScreensOn && store.frames.shown.value === "live";
    const watched = store.exhibit.watched.value.camera;
    for (const { name } of store.scene.value?.cameras ?? []) {
      const image = watched.includes(name) ? store.exhibit.image("camera", name).value : null;
      view.value?.setScreen(name, isOn ? (image?.bitmap ?? null) : null);
    }
  });
}
