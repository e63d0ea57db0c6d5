/** Stripes on conveyors that move with them: one mesh, moved by shifting its texture. */

import * as THREE from "three";
import type { Belt, Vec3 } from "../protocol";

const LIFT = 8e-4; // m over the belt
const PITCH = 0.12; // m from stripe to stripe, of belts that are not much narrower
const SHARE = 0.5; // of the width of a belt: the longest pitch on it
const PIXELS = 64;

/** Which part of the texture lies at a corner: along the belt in stripes, across 0 to 1. */
export interface Surface {
  readonly corners: readonly Vec3[];
  /** Distance along the belt, in stripes. */
  readonly along: readonly number[];
  readonly across: readonly number[];
  /** From stripe to stripe [m]. */
  readonly pitch: number;
  /** Out of the belt. */
  readonly normal: THREE.Vector3;
}

export function surfaceOf(belt: Belt): Surface {
  const corners: Vec3[] = [];
  for (let i = 0; i + 2 < belt.corners.length; i += 3)
    corners.push(belt.corners.slice(i, i + 3) as Vec3);
  const points = corners.map((corner) => new THREE.Vector3(...corner));
  const along = new THREE.Vector3(...belt.along);
  const normal = new THREE.Vector3();
  points.forEach((point, i) => {
    const next = points[(i + 1) % points.length]!;
    normal.add(new THREE.Vector3().crossVectors(point, next)); // Newell: of any polygon
  });
  if (normal.z < 0) normal.negate();
  normal.normalize();
  const aside = new THREE.Vector3().crossVectors(normal, along);
  const [far, wide] = [along, aside].map((axis) => points.map((point) => point.dot(axis)));
  const [low, high] = [Math.min(...wide!), Math.max(...wide!)];
  const pitch = Math.max(Math.min(PITCH, SHARE * (high - low)), 1e-3);
  return {
    corners,
    along: far!.map((value) => (value - far![0]!) / pitch),
    across: wide!.map((value) => (value - low) / Math.max(high - low, 1e-9)),
    pitch,
    normal,
  };
}

/** Where the stripes are after some travel [m]: 0 to 1, in stripes. */
export function phaseOf(travel: number, pitch: number): number {
  const turns = travel / pitch;
  return turns - Math.floor(turns);
}

/** Dark bars across the belt on a light one, for any colour below. */
function makeStripes(): THREE.DataTexture {
  const data = new Uint8Array(4 * PIXELS);
  for (let i = 0; i < PIXELS; i += 1) {
    const wave = Math.sin((2 * Math.PI * (i + 0.5)) / PIXELS);
    const tone = wave > 0 ? 0 : 255;
    data.set([tone, tone, tone, 255 * Math.min(1, 3 * Math.abs(wave))], 4 * i);
  }
  const texture = new THREE.DataTexture(data, PIXELS, 1);
  texture.wrapS = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}

export class Belts {
  readonly group = new THREE.Group();
  private readonly surfaces: readonly Surface[];
  private readonly starts: number[] = [];
  private readonly places: THREE.BufferAttribute | null = null;
  private readonly shown: Float32Array;

  constructor(belts: readonly Belt[]) {
    this.surfaces = belts.map(surfaceOf);
    this.shown = new Float32Array(belts.length).fill(NaN);
    if (belts.length === 0) return;
    const points: number[] = [];
    const triangles: number[] = [];
    for (const surface of this.surfaces) {
      const first = points.length / 3;
      this.starts.push(first);
      const { x, y, z } = surface.normal.clone().multiplyScalar(LIFT);
      for (const corner of surface.corners)
        points.push(corner[0] + x, corner[1] + y, corner[2] + z);
      const flat = surface.along.map(
        (value, i) => new THREE.Vector2(value, surface.across[i]),
      );
      for (const face of THREE.ShapeUtils.triangulateShape(flat, []))
        triangles.push(...face.map((corner) => first + corner));
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.places = new THREE.Float32BufferAttribute((2 * points.length) / 3, 2);
    geometry.setAttribute("uv", this.places);
    geometry.setIndex(triangles);
    const material = new THREE.MeshBasicMaterial({
      map: makeStripes(),
      transparent: true,
      opacity: 0.16,
      depthWrite: false,
      side: THREE.DoubleSide,
      toneMapped: false,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = 2;
    this.group.add(mesh);
    this.place(new Float32Array(belts.length));
  }

  /** Moves the stripes; costs nothing while the belts stand. */
  place(travels: Float32Array): void {
    if (!this.places) return;
    this.surfaces.forEach((surface, belt) => {
      const travel = travels[belt] ?? 0;
      if (this.shown[belt] === travel) return;
      this.shown[belt] = travel;
      const phase = phaseOf(travel, surface.pitch);
      surface.along.forEach((value, i) =>
        this.places!.setXY(this.starts[belt]! + i, value - phase, surface.across[i]!),
      );
      this.places!.needsUpdate = true;
    });
  }

  dispose(): void {
    this.group.traverse((item) => {
      if (!(item instanceof THREE.Mesh)) return;
      const material = item.material as THREE.MeshBasicMaterial;
      material.map?.dispose();
      material.dispose();
      (item.geometry as THREE.BufferGeometry).dispose();
    });
    this.group.removeFromParent();
  }
}
