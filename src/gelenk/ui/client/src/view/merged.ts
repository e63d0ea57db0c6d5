/**
 * Many pieces as one mesh whose corners are moved here.
 *
 * Who draws without a graphics card takes every instance of a mesh as a drawing of its
 * own, which is dearer than to move all corners and to hand them over once.
 */

import * as THREE from "three";
import type { Piece } from "./pieces";
import { POSE } from "./pose";

/** A piece and its form. */
export interface Part {
  readonly piece: Piece;
  readonly form: THREE.BufferGeometry;
}

/** The corners of a part. */
interface Corners {
  readonly body: number;
  readonly start: number;
  readonly count: number;
}

export class Merged {
  readonly mesh: THREE.Mesh;
  /** In the order of the parts. */
  private readonly corners: readonly Corners[];
  /** On their bodies: where the corners are, and which way they face. */
  private readonly places: Float32Array;
  private readonly facings: Float32Array;
  /** Poses that are drawn now. */
  private drawn = new Float32Array(0);
  private readonly position: THREE.BufferAttribute;
  private readonly normal: THREE.BufferAttribute;
  private readonly glow: THREE.BufferAttribute;

  constructor(parts: readonly Part[], material: THREE.Material) {
    let total = 0;
    this.corners = parts.map(({ piece, form }) => {
      const { count } = form.getAttribute("position");
      total += count;
      return { body: piece.body, start: total - count, count };
    });
    const geometry = new THREE.BufferGeometry();
    const make = (name: string, usage: THREE.Usage) => {
      const attribute = new THREE.BufferAttribute(new Float32Array(3 * total), 3);
      geometry.setAttribute(name, attribute.setUsage(usage));
      return attribute;
    };
    this.position = make("position", THREE.DynamicDrawUsage);
    this.normal = make("normal", THREE.DynamicDrawUsage);
    this.glow = make("glow", THREE.DynamicDrawUsage);
    const color = make("color", THREE.StaticDrawUsage);
    const index: number[] = [];
    parts.forEach(({ piece, form }, i) => {
      const { start, count } = this.corners[i]!;
      this.bake(form, piece, start);
      const [red, green, blue] = piece.rgba;
      const { r, g, b } = new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
      const own = form.getAttribute("color") as THREE.BufferAttribute | undefined;
      for (let k = 0; k < count; k += 1)
        if (own) color.setXYZ(start + k, r * own.getX(k), g * own.getY(k), b * own.getZ(k));
        else color.setXYZ(start + k, r, g, b);
      for (const corner of facesOf(form)) index.push(start + corner);
    });
    geometry.setIndex(index);
    this.places = (this.position.array as Float32Array).slice();
    this.facings = (this.normal.array as Float32Array).slice();
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
  }

  /** Puts the corners of all bodies that have moved where they are. */
  place(poses: Float32Array): void {
    const known = this.drawn.length === poses.length ? this.drawn : null;
    let isMoved = false;
    for (const { body, start, count } of this.corners) {
      if (known && isSame(known, poses, POSE * body)) continue;
      this.move(poses, POSE * body, 3 * start, 3 * (start + count));
      isMoved = true;
    }
    if (!isMoved) return;
    if (known) known.set(poses);
    else this.drawn = poses.slice();
    this.position.needsUpdate = true;
    this.normal.needsUpdate = true;
  }

  setGlow(part: number, red: number, green: number, blue: number): void {
    const { start, count } = this.corners[part]!;
    for (let i = start; i < start + count; i += 1) this.glow.setXYZ(i, red, green, blue);
    this.glow.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.removeFromParent();
  }

  /** Writes the corners of a piece as they are on its body. */
  private bake(form: THREE.BufferGeometry, piece: Piece, start: number): void {
    const local = new THREE.Matrix4().fromArray(piece.local);
    const turn = new THREE.Matrix3().getNormalMatrix(local);
    const from = [form.getAttribute("position"), form.getAttribute("normal")] as const;
    const point = new THREE.Vector3();
    for (let i = 0; i < from[0].count; i += 1) {
      point.fromBufferAttribute(from[0], i).applyMatrix4(local);
      this.position.setXYZ(start + i, point.x, point.y, point.z);
      point.fromBufferAttribute(from[1], i).applyMatrix3(turn).normalize();
      this.normal.setXYZ(start + i, point.x, point.y, point.z);
    }
  }

  /** Moves the numbers from `begin` to `end` of all corners with a pose. */
  private move(poses: Float32Array, pose: number, begin: number, end: number): void {
    const x = poses[pose]!;
    const y = poses[pose + 1]!;
    const z = poses[pose + 2]!;
    const qw = poses[pose + 3]!;
    const qx = poses[pose + 4]!;
    const qy = poses[pose + 5]!;
    const qz = poses[pose + 6]!;
    const r00 = 1 - 2 * (qy * qy + qz * qz);
    const r01 = 2 * (qx * qy - qw * qz);
    const r02 = 2 * (qx * qz + qw * qy);
    const r10 = 2 * (qx * qy + qw * qz);
    const r11 = 1 - 2 * (qx * qx + qz * qz);
    const r12 = 2 * (qy * qz - qw * qx);
    const r20 = 2 * (qx * qz - qw * qy);
    const r21 = 2 * (qy * qz + qw * qx);
    const r22 = 1 - 2 * (qx * qx + qy * qy);
    const { places, facings } = this;
    const position = this.position.array;
    const normal = this.normal.array;
    for (let i = begin; i < end; i += 3) {
      const a = places[i]!;
      const b = places[i + 1]!;
      const c = places[i + 2]!;
      position[i] = r00 * a + r01 * b + r02 * c + x;
      position[i + 1] = r10 * a + r11 * b + r12 * c + y;
      position[i + 2] = r20 * a + r21 * b + r22 * c + z;
      const u = facings[i]!;
      const v = facings[i + 1]!;
      const w = facings[i + 2]!;
      normal[i] = r00 * u + r01 * v + r02 * w;
      normal[i + 1] = r10 * u + r11 * v + r12 * w;
      normal[i + 2] = r20 * u + r21 * v + r22 * w;
    }
  }
}

/** Numbers of the corners of all triangles. */
function facesOf(form: THREE.BufferGeometry): ArrayLike<number> & Iterable<number> {
  return form.index?.array ?? Array.from({ length: form.getAttribute("position").count }, (_, i) => i);
}

function isSame(a: Float32Array, b: Float32Array, at: number): boolean {
  for (let k = at; k < at + POSE; k += 1) if (a[k] !== b[k]) return false;
  return true;
}
