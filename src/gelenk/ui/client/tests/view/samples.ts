/** Small scenes and frames for tests. */

import type { Frame } from "../../src/frame";
import type { Body, Scene, Shape } from "../../src/protocol";

export function shape(patch: Partial<Shape>): Shape {
  return {
    shape: "box",
    size: [1, 1, 1],
    position: [0, 0, 0],
    quaternion: [1, 0, 0, 0],
    rgba: [0.8, 0.2, 0.1, 1],
    role: "both",
    mesh: "",
    coarse: "",
    texture: "",
    bounds: [],
    ...patch,
  };
}

export function body(name: string, shapes: Shape[], patch: Partial<Body> = {}): Body {
  return { name, group: "object", robot: "", shapes, ...patch };
}

export function frame(patch: Partial<Frame> = {}): Frame {
  return {
    scene: 1,
    time: 0,
    tick: 0,
    isAsked: false,
    poses: new Float32Array(0),
    values: new Float32Array(0),
    shares: new Float32Array(0),
    contacts: new Float32Array(0),
    travels: new Float32Array(0),
    ...patch,
  };
}

export function scene(patch: Partial<Scene> = {}): Scene {
  return {
    kind: "scene",
    number: 1,
    name: "test",
    title: "Test",
    summary: "",
    step: 0.001,
    period: 0.01,
    bodies: [],
    joints: [],
    zones: [],
    floor: { low: [-1, -1], high: [1, 1], tile: 0.5, patches: [] },
    cameras: [],
    panel: {
      title: "",
      robots: [],
      receivers: {},
      parameters: [],
      buttons: [],
      tools: [],
      source: "",
      source_name: "",
    },
    signals: [],
    curves: [],
    belts: [],
    eye: [2, -2, 1.5],
    is_view_chosen: false,
    focus: [0, 0, 0.2],
    ...patch,
  };
}

/** Numbers in -1..1 that are the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2147483648;
  };
}

/** A unit quaternion w, x, y, z. */
export function quaternion(next: () => number): [number, number, number, number] {
  const q = [next(), next(), next(), next()];
  const norm = Math.hypot(...q);
  return q.map((value) => value / norm) as [number, number, number, number];
}

export function close(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-6): boolean {
  return a.length === b.length && Array.from(a).every((v, i) => Math.abs(v - b[i]!) <= tolerance);
}
