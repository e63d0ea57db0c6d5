/** Things that robots let the page draw: flights, support areas, forces, marks. */

import * as THREE from "three";
import { triangulate } from "./floor_plan";
import type { Labels } from "./labels";
import { Arrows, Marks } from "./marks";
import { turnFromZ, rotate } from "./pose";
import { ribbonTriangles, writeRibbon, type Sightline } from "./ribbon";

interface Common {
  /** A CSS colour. */
  readonly color?: string;
  readonly opacity?: number;
}

/** Points are x, y, z, x, ... in the world [m]. */
export type Overlay = Common &
  (
    | { readonly kind: "line"; readonly points: readonly number[]; readonly width?: number }
    /** A way with its uncertainty: a radius for every point [m]. */
    | { readonly kind: "tube"; readonly points: readonly number[]; readonly radii: readonly number[] }
    /** A flat area; its corners need not lie in one plane exactly. */
    | { readonly kind: "polygon"; readonly points: readonly number[] }
    | { readonly kind: "point"; readonly position: readonly number[]; readonly radius?: number }
    | { readonly kind: "arrow"; readonly from: readonly number[]; readonly along: readonly number[]; readonly radius?: number }
    /** One can look through it. */
    | { readonly kind: "sphere"; readonly position: readonly number[]; readonly radius: number }
    | { readonly kind: "text"; readonly at: readonly [number, number, number]; readonly text: string }
  );

const COLOR = "#0090ff";
const SIDES = 20; // of a tube
const WIDTH = 2.5; // px, of a line

/** Corners and triangles of a tube around a way. */
export function tubeMesh(
  points: readonly number[],
  radii: readonly number[],
): { corners: number[]; triangles: number[] } {
  const count = Math.floor(points.length / 3);
  const corners: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const a = 3 * Math.max(i - 1, 0);
    const b = 3 * Math.min(i + 1, count - 1);
    const turn = turnFromZ([0, 1, 2].map((k) => points[b + k]! - points[a + k]!));
    const radius = radii[i] ?? radii[radii.length - 1] ?? 0;
    for (let s = 0; s < SIDES; s += 1) {
      const angle = (2 * Math.PI * s) / SIDES;
      const arm = rotate(turn, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
      corners.push(...arm.map((value, k) => value + points[3 * i + k]!));
      if (i + 1 === count) continue;
      const here = SIDES * i + s;
      const next = SIDES * i + ((s + 1) % SIDES);
      triangles.push(here, next, here + SIDES, next, next + SIDES, here + SIDES);
    }
  }
  return { corners, triangles };
}

/** Triangles of a polygon in space, cut where it is seen largest. */
export function polygonTriangles(points: readonly number[]): number[] {
  const count = Math.floor(points.length / 3);
  const area = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const j = (i + 1) % count;
    for (let k = 0; k < 3; k += 1) {
      const u = (k + 1) % 3;
      const v = (k + 2) % 3;
      area[k]! += points[3 * i + u]! * points[3 * j + v]! - points[3 * j + u]! * points[3 * i + v]!;
    }
  }
  const sizes = area.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const flat: number[] = [];
  for (let i = 0; i < count; i += 1)
    flat.push(points[3 * i + ((axis + 1) % 3)]!, points[3 * i + ((axis + 2) % 3)]!);
  return triangulate(flat);
}

function film(item: Common, fallback: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({
    color: item.color ?? COLOR,
    opacity: item.opacity ?? fallback,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    toneMapped: false,
  });
}

interface Line {
  readonly mesh: THREE.Mesh;
  readonly points: readonly number[];
  readonly width: number;
}

/** The overlays of one giver. */
class Drawing {
  readonly group = new THREE.Group();
  private readonly lines: Line[] = [];
  private readonly dots = new Marks("dot", { isOnTop: true });
  private readonly arrows = new Arrows();

  constructor(items: readonly Overlay[]) {
    const dots = items.filter((item) => item.kind === "point");
    const arrows = items.filter((item) => item.kind === "arrow");
    this.dots.begin(dots.length);
    this.arrows.begin(arrows.length);
    for (const item of items) this.add(item);
    this.dots.end();
    this.arrows.end();
    this.group.add(this.dots.group, this.arrows.group);
  }

  update(sight: Sightline): void {
    for (const { mesh, points, width } of this.lines) {
      const corners = mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
      writeRibbon(corners.array as Float32Array, points, points.length / 3, width, sight);
      corners.needsUpdate = true;
    }
  }

  dispose(): void {
    this.dots.dispose();
    this.arrows.dispose();
    this.group.traverse((item) => {
      if (!(item instanceof THREE.Mesh)) return;
      (item.geometry as THREE.BufferGeometry).dispose();
      (item.material as THREE.Material).dispose();
    });
    this.group.removeFromParent();
  }

  private add(item: Overlay): void {
    const color = item.color ?? COLOR;
    switch (item.kind) {
      case "line":
        return this.addLine(item.points, item, item.width ?? WIDTH);
      case "tube": {
        const { corners, triangles } = tubeMesh(item.points, item.radii);
        this.addMesh(corners, triangles, film(item, 0.22));
        return this.addLine(item.points, { ...item, opacity: 0.9 }, WIDTH);
      }
      case "polygon": {
        this.addMesh([...item.points], polygonTriangles(item.points), film(item, 0.25));
        const closed = [...item.points, ...item.points.slice(0, 3)];
        return this.addLine(closed, { ...item, opacity: 0.9 }, WIDTH);
      }
      case "point": {
        const radius = item.radius ?? 0.012;
        return this.dots.put(item.position, [1, 0, 0, 0], [radius, radius, radius], color);
      }
      case "arrow":
        return this.arrows.add(item.from, item.along, item.radius ?? 0.006, color);
      case "sphere":
        return this.addSphere(item.position, item.radius, film(item, 0.35));
      case "text":
        return; // words are elements of the page, see `Overlays.set`
    }
  }

  private addSphere(at: readonly number[], radius: number, material: THREE.Material): void {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), material);
    mesh.position.set(at[0]!, at[1]!, at[2]!);
    mesh.renderOrder = 15;
    this.group.add(mesh);
  }

  private addMesh(corners: number[], triangles: number[], material: THREE.Material): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    geometry.setIndex(triangles);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = 15;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private addLine(points: readonly number[], item: Common, width: number): void {
    const count = Math.floor(points.length / 3);
    if (count < 2) return;
    const corners = new Array<number>(6 * count).fill(0);
    const mesh = this.addMesh(corners, ribbonTriangles(count), film(item, 0.95));
    this.lines.push({ mesh, points, width });
  }
}

/** All overlays, by the name of who gave them. */
export class Overlays {
  readonly group = new THREE.Group();
  private readonly drawings = new Map<string, Drawing>();
  private readonly words = new Map<string, number>();

  constructor(private readonly labels: Labels | null = null) {}

  /** Replaces the overlays of a giver; none ends them. */
  set(name: string, items: readonly Overlay[]): void {
    this.drawings.get(name)?.dispose();
    this.drawings.delete(name);
    this.write(name, items);
    if (items.length === 0) return;
    const drawing = new Drawing(items);
    this.drawings.set(name, drawing);
    this.group.add(drawing.group);
  }

  update(sight: Sightline): void {
    for (const drawing of this.drawings.values()) drawing.update(sight);
  }

  private write(name: string, items: readonly Overlay[]): void {
    const texts = items.filter((item) => item.kind === "text");
    const key = (i: number) => `overlay:${name}:${i}`;
    texts.forEach(({ text, at, color }, i) =>
      this.labels?.set(key(i), { text, at: [...at], color: color ?? COLOR, kind: "zone" }),
    );
    const before = this.words.get(name) ?? 0;
    for (let i = texts.length; i < before; i += 1) this.labels?.remove(key(i));
    this.words.set(name, texts.length);
  }

  dispose(): void {
    for (const name of this.words.keys()) this.write(name, []);
    for (const drawing of this.drawings.values()) drawing.dispose();
    this.drawings.clear();
    this.group.removeFromParent();
  }
}
