/** Solid pieces in few meshes, each as finely made as its size in the picture asks for. */

import * as THREE from "three";
import { makeGeometry } from "./geometry";
import type { MeshData } from "./meshes";
import { Merged } from "./merged";
import type { Piece, Pieces } from "./pieces";
import { POSE } from "./pose";
import { DETAILS } from "./quality";
import type { Sightline } from "./ribbon";

const PERIOD = 15; // pictures between two looks at what is large
const SLACK = 0.7; // share of the size for more detail below which there is less again
const ROUND = new Set(["sphere", "cap", "cylinder", "tube"]);

interface Item {
  readonly piece: Piece;
  /** [m]; 0: has no roundness. */
  readonly radius: number;
  readonly glow: [number, number, number];
  level: number;
  /** Where it is drawn. */
  merged: Merged | null;
  part: number;
}

export class Coarse {
  readonly group = new THREE.Group();
  private readonly items = new Map<Piece, Item>();
  private readonly groups = new Map<THREE.Material, Item[]>();
  private readonly forms = new Map<string, THREE.BufferGeometry>();
  private readonly merged: Merged[] = [];
  private poses = new Float32Array(0);
  private looks = 0;

  constructor(
    private readonly pieces: Pieces,
    private readonly meshes: ReadonlyMap<string, MeshData>,
  ) {}

  add(piece: Piece, material: THREE.Material): void {
    const radius = ROUND.has(piece.form) ? radiusOf(piece) : 0;
    const item: Item = { piece, radius, glow: [0, 0, 0], level: 0, merged: null, part: 0 };
    this.items.set(piece, item);
    this.groups.set(material, [...(this.groups.get(material) ?? []), item]);
  }

  place(poses: Float32Array): void {
    if (this.poses.length !== poses.length) this.poses = new Float32Array(poses.length);
    this.poses.set(poses);
    if (this.merged.length === 0) this.build();
    for (const merged of this.merged) merged.place(poses);
  }

  setGlow(piece: Piece, red: number, green: number, blue: number): void {
    const item = this.items.get(piece);
    if (!item) return;
    [item.glow[0], item.glow[1], item.glow[2]] = [red, green, blue];
    item.merged?.setGlow(item.part, red, green, blue);
  }

  /** Now and then: makes finer what has come near, and coarser what is far. */
  look({ eye, pixel }: Sightline): void {
    this.looks += 1;
    if (this.merged.length === 0 || this.looks % PERIOD !== 1) return;
    let isChanged = false;
    for (const item of this.items.values()) {
      if (item.radius === 0) continue;
      const at = POSE * item.piece.body;
      const away = Math.hypot(
        this.poses[at]! - eye[0], this.poses[at + 1]! - eye[1], this.poses[at + 2]! - eye[2],
      );
      const level = levelOf(item.radius / (pixel * Math.max(away, 1e-3)), item.level);
      isChanged ||= level !== item.level;
      item.level = level;
    }
    if (!isChanged) return;
    this.build();
    for (const merged of this.merged) merged.place(this.poses);
  }

  dispose(): void {
    for (const merged of this.merged.splice(0)) merged.dispose();
    for (const form of this.forms.values()) form.dispose();
    this.group.removeFromParent();
  }

  private build(): void {
    for (const merged of this.merged.splice(0)) merged.dispose();
    for (const [material, items] of this.groups) {
      const parts = items.map(({ piece, level }) => ({ piece, form: this.formOf(piece, level) }));
      const merged = new Merged(parts, material);
      items.forEach((item, part) => {
        [item.merged, item.part] = [merged, part];
        if (item.glow.some((value) => value > 0)) merged.setGlow(part, ...item.glow);
      });
      this.merged.push(merged);
      this.group.add(merged.mesh);
    }
  }

  private formOf({ form }: Piece, level: number): THREE.BufferGeometry {
    const key = `${form}|${ROUND.has(form) ? level : ""}`;
    const known =
      this.forms.get(key) ??
      makeGeometry(form, this.pieces.bundles, this.meshes, DETAILS[level]!);
    this.forms.set(key, known);
    return known;
  }
}

/** Largest half width of a round piece [m]; how long it is does not count. */
function radiusOf({ form, local }: Piece): number {
  const axes = form === "sphere" ? [0, 4, 8] : [0, 4];
  return Math.max(...axes.map((at) => Math.hypot(local[at]!, local[at + 1]!, local[at + 2]!)));
}

/** Detail of a thing of a radius in the picture [px] that has a detail now. */
export function levelOf(radius: number, now: number): number {
  const wanted = DETAILS.findIndex((detail) => radius <= detail.radius);
  if (wanted >= now) return wanted;
  return radius <= SLACK * DETAILS[now - 1]!.radius ? wanted : now;
}
