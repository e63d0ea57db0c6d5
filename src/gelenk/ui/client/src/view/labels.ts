/** Words in the picture: elements of the page over the canvas. */

import * as THREE from "three";
import type { Vec3 } from "../protocol";

export interface Label {
  readonly text: string;
  readonly at: Vec3;
  readonly color?: string;
  /** "zone": small, of an area; "name": of a body; "axis": of the world's axes. */
  readonly kind: "zone" | "name" | "axis";
  /** Of what it names [m]; the word hides when that is small in the picture. */
  readonly size?: number;
}

const SMALL = 42; // px

interface Shown {
  label: Label;
  readonly element: HTMLElement;
  box: { width: number; height: number } | null;
}

export class Labels {
  private readonly layer = document.createElement("div");
  private readonly shown = new Map<string, Shown>();
  private readonly point = new THREE.Vector3();

  constructor(parent: HTMLElement) {
    this.layer.className = "view-labels";
    this.layer.setAttribute("aria-hidden", "true"); // windows say the same in words
    parent.append(this.layer);
  }

  set(key: string, label: Label): void {
    const known = this.shown.get(key);
    const element = known?.element ?? document.createElement("span");
    element.className = `view-label view-label-${label.kind}`;
    if (element.textContent !== label.text) {
      element.textContent = label.text;
      if (known) known.box = null;
    }
    element.style.setProperty("--label-color", label.color ?? "currentColor");
    if (known) known.label = label;
    else {
      this.shown.set(key, { label, element, box: null });
      this.layer.append(element);
    }
  }

  remove(key: string): void {
    this.shown.get(key)?.element.remove();
    this.shown.delete(key);
  }

  /** Puts all words where their points are in the picture. Those that overlap hide. */
  place(camera: THREE.PerspectiveCamera, width: number, height: number): void {
    const focal = height / (2 * Math.tan((camera.fov * Math.PI) / 360)); // px
    const taken: [number, number, number, number][] = [];
    const order = { name: 0, axis: 1, zone: 2 };
    const sorted = [...this.shown.values()].sort(
      (a, b) => order[a.label.kind] - order[b.label.kind],
    );
    for (const item of sorted) {
      const { element, label } = item;
      const away = this.point.set(...label.at).distanceTo(camera.position);
      const isLarge = label.size === undefined || focal * label.size > SMALL * away;
      const { x, y, z } = this.point.project(camera);
      const isSeen = isLarge && z < 1 && Math.abs(x) < 1.05 && Math.abs(y) < 1.05;
      item.box ??= { width: element.offsetWidth, height: element.offsetHeight };
      const { width: w, height: h } = item.box;
      const left = Math.round((0.5 + x / 2) * width - w / 2);
      const top = Math.round((0.5 - y / 2) * height - h - 6);
      const isFree = taken.every(
        ([l, t, r, b]) => left > r || left + w < l || top > b || top + h < t,
      );
      const isVisible = isSeen && isFree;
      element.style.visibility = isVisible ? "visible" : "hidden";
      if (!isVisible) continue;
      taken.push([left, top, left + w, top + h]);
      element.style.transform = `translate(${left}px, ${top}px)`;
    }
  }

  dispose(): void {
    this.layer.remove();
    this.shown.clear();
  }
}
