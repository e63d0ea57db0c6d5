/** Many sticks, cones or dots in one draw call; for axes, arrows and points. */

import * as THREE from "three";
import { composeMatrix, MATRIX, turnFromZ } from "./pose";

export type MarkForm = "stick" | "cone" | "dot";

function formGeometry(form: MarkForm): THREE.BufferGeometry {
  if (form === "dot") return new THREE.SphereGeometry(1, 14, 10);
  const top = form === "stick" ? 1 : 0;
  // From z = 0 to z = 1.
  return new THREE.CylinderGeometry(top, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export class Marks {
  readonly group = new THREE.Group();
  private mesh: THREE.InstancedMesh | null = null;
  private readonly geometry: THREE.BufferGeometry;
  private readonly material: THREE.MeshBasicMaterial;
  private readonly color = new THREE.Color();
  private count = 0;

  constructor(form: MarkForm, { isOnTop = false, opacity = 1 } = {}) {
    this.geometry = formGeometry(form);
    this.material = new THREE.MeshBasicMaterial({
      transparent: isOnTop || opacity < 1,
      opacity,
      depthTest: !isOnTop,
      toneMapped: false,
    });
    this.group.renderOrder = isOnTop ? 50 : 0;
  }

  /** Begins anew, with room for so many marks. */
  begin(capacity: number): void {
    this.count = 0;
    if (!this.mesh || this.mesh.instanceMatrix.count < capacity) {
      this.mesh?.removeFromParent();
      this.mesh?.dispose();
      const room = Math.max(16, Math.ceil(1.5 * capacity));
      this.mesh = new THREE.InstancedMesh(this.geometry, this.material, room);
      this.mesh.setColorAt(0, this.color); // makes the colours
      this.mesh.frustumCulled = false;
      this.mesh.renderOrder = this.group.renderOrder;
      this.group.add(this.mesh);
    }
  }

  /** Adds a stick or cone from a point along a vector, of a radius. */
  add(
    from: readonly number[],
    along: readonly number[],
    radius: number,
    color: THREE.ColorRepresentation,
  ): void {
    const length = Math.hypot(along[0]!, along[1]!, along[2]!);
    this.put(from, turnFromZ(along), [radius, radius, length], color);
  }

  /** Adds a mark of a pose and size. */
  put(
    position: readonly number[],
    quaternion: readonly number[],
    scale: readonly number[],
    color: THREE.ColorRepresentation,
  ): void {
    const { mesh } = this;
    if (!mesh) return;
    const at = MATRIX * this.count;
    composeMatrix(mesh.instanceMatrix.array as Float32Array, at, position, quaternion, scale);
    mesh.setColorAt(this.count, this.color.set(color));
    this.count += 1;
  }

  /** Shows what was added. */
  end(): void {
    if (!this.mesh) return;
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }

  dispose(): void {
    this.mesh?.dispose();
    this.geometry.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }
}

/** Arrows: a stick and a cone each. */
export class Arrows {
  readonly group = new THREE.Group();
  private readonly shafts: Marks;
  private readonly heads: Marks;

  constructor(options: { isOnTop?: boolean } = {}) {
    this.shafts = new Marks("stick", options);
    this.heads = new Marks("cone", options);
    this.group.add(this.shafts.group, this.heads.group);
  }

  begin(capacity: number): void {
    this.shafts.begin(capacity);
    this.heads.begin(capacity);
  }

  add(
    from: readonly number[],
    along: readonly number[],
    radius: number,
    color: THREE.ColorRepresentation,
  ): void {
    const length = Math.hypot(along[0]!, along[1]!, along[2]!);
    if (length < 1e-9) return;
    const head = Math.min(6 * radius, 0.5 * length);
    const share = 1 - head / length;
    const shaft = along.map((value) => share * value);
    this.shafts.add(from, shaft, radius, color);
    const neck = shaft.map((value, k) => value + from[k]!);
    this.heads.add(neck, along.map((value) => (1 - share) * value), 2.4 * radius, color);
  }

  end(): void {
    this.shafts.end();
    this.heads.end();
  }

  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
    this.group.removeFromParent();
  }
}
