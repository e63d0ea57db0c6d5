/** One key light with soft shadows, a fill from the other side, and the sky. */

import * as THREE from "three";
import type { Vec3 } from "../protocol";
import { TRAITS, type Quality } from "./quality";
import type { Look } from "./look";
import { boundsOf, type Bounds } from "./pieces";

const SUN = new THREE.Vector3(0.42, -0.38, 0.82).normalize();
const ROOM = 0.35; // m around everything in which shadows fall at once
const EYE = 30; // m, from where the sun looks

export class Lights {
  readonly group = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xfff6ea, 2.3);
  private readonly fill = new THREE.DirectionalLight(0xdfe8ff, 0.5);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1.5);
  private seen: Bounds | null = null;
  private bounds: Bounds | null = null;

  private readonly texels: number;

  constructor(quality: Quality) {
    const traits = TRAITS[quality];
    this.texels = traits.shadowMap;
    this.sun.position.copy(SUN);
    this.fill.position.set(-0.7, 0.5, 0.35);
    this.sky.position.set(0, 0, 1);
    this.group.add(this.sun, this.sun.target, this.sky);
    if (traits.isShiny) this.group.add(this.fill);
    if (this.texels === 0) return;
    const { shadow } = this.sun;
    this.sun.castShadow = true;
    shadow.mapSize.set(this.texels, this.texels);
    shadow.radius = this.texels / 900;
    shadow.normalBias = 0.02;
    shadow.bias = -0.0002;
  }

  paint(look: Look): void {
    this.sky.color.set(look.isDark ? 0xdfe6f2 : 0xeef3fc);
    this.sky.groundColor.set(look.isDark ? 0x54575e : 0xb4aea4);
    this.sky.intensity = look.isDark ? 1.1 : 1.45;
    this.sun.intensity = look.isDark ? 2.2 : 2.4;
    this.fill.intensity = look.isDark ? 0.6 : 0.4;
    this.sun.shadow.intensity = look.isDark ? 0.85 : 0.8;
  }

  /** Lets the shadow map cover points x, y, z, ...; returns whether it changed. */
  cover(points: readonly number[]): boolean {
    const found = boundsOf(points);
    if (!found) return false;
    if (this.bounds && isInside(found, this.bounds)) return false;
    const { low, high } = (this.seen = union(found, this.seen));
    this.bounds = {
      low: low.map((value) => value - ROOM) as Vec3,
      high: high.map((value) => value + ROOM) as Vec3,
    };
    this.aim(this.bounds);
    return true;
  }

  /** Takes shadows away, or gives them back. */
  setShadows(areOn: boolean): void {
    this.sun.castShadow = areOn && this.texels > 0;
  }

  /** Another scene. */
  forget(): void {
    this.bounds = this.seen = null;
  }

  dispose(): void {
    this.sun.dispose();
    this.fill.dispose();
    this.sky.dispose();
    this.group.removeFromParent();
  }

  private aim({ low, high }: Bounds): void {
    const { sun } = this;
    const middle = low.map((value, k) => (value + high[k]!) / 2) as Vec3;
    sun.target.position.set(...middle);
    sun.position.copy(sun.target.position).addScaledVector(SUN, EYE);
    sun.target.updateMatrixWorld();
    sun.updateMatrixWorld();
    const { camera } = sun.shadow;
    const view = new THREE.Matrix4().lookAt(sun.position, sun.target.position, camera.up);
    const inverse = view.setPosition(sun.position).invert();
    const points: number[] = [];
    for (const x of [low[0], high[0]])
      for (const y of [low[1], high[1]])
        for (const z of [Math.max(low[2], -0.1), high[2]])
          points.push(...new THREE.Vector3(x, y, z).applyMatrix4(inverse).toArray());
    const box = boundsOf(points)!;
    camera.left = box.low[0];
    camera.right = box.high[0];
    camera.bottom = box.low[1];
    camera.top = box.high[1];
    camera.near = -box.high[2] - 0.5;
    camera.far = -box.low[2] + 0.5;
    camera.updateProjectionMatrix();
    const texel = Math.max(camera.right - camera.left, camera.top - camera.bottom) / this.texels;
    sun.shadow.normalBias = Math.min(0.7 * texel, 0.02);
    sun.shadow.bias = -0.35 * texel / (camera.far - camera.near);
  }
}

function isInside(inner: Bounds, outer: Bounds): boolean {
  return [0, 1, 2].every(
    (k) => inner.low[k]! >= outer.low[k]! && inner.high[k]! <= outer.high[k]!,
  );
}

function union(a: Bounds, b: Bounds | null): Bounds {
  if (!b) return a;
  return {
    low: a.low.map((value, k) => Math.min(value, b.low[k]!)) as Vec3,
    high: a.high.map((value, k) => Math.max(value, b.high[k]!)) as Vec3,
  };
}
