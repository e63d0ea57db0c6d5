/** Trigger areas and light barriers: translucent, with a word on what they send. */

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Zone } from "../protocol";
import type { Labels } from "./labels";
import { Marks } from "./marks";

const COLORS = { enter: "#2f9e60", leave: "#e5832a", cross: "#d93d4a" } as const;
const LIFT = 1e-3; // m above the floor
const MIN_HEIGHT = 0.02; // m
const ROUND = 40; // corners of a circle
const POST = 0.006; // m, radius of the posts of a barrier

/** Gives all corners of a film one colour and opacity. */
function tint(geometry: THREE.BufferGeometry, color: string, opacity: number): void {
  const { r, g, b } = new THREE.Color(color);
  const count = geometry.getAttribute("position").count;
  const colors = new Float32Array(4 * count);
  for (let i = 0; i < count; i += 1) colors.set([r, g, b, opacity], 4 * i);
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 4));
  geometry.deleteAttribute("uv");
  geometry.deleteAttribute("normal");
}

export class Zones {
  readonly group = new THREE.Group();
  private readonly posts = new Marks("stick");
  private readonly films: THREE.BufferGeometry[] = [];

  constructor(
    private readonly zones: readonly Zone[],
    private readonly labels: Labels,
  ) {
    const barriers = zones.filter((zone) => zone.form === "barrier");
    this.posts.begin(2 * barriers.length);
    zones.forEach((zone, i) => {
      if (zone.form === "circle") this.addCircle(zone, LIFT + 2e-4 * i);
      else this.addBarrier(zone);
    });
    this.posts.end();
    this.group.add(this.posts.group);
    this.join();
  }

  /** Shows them, with their labels, or hides them. */
  show(isShown: boolean): void {
    this.group.visible = isShown;
    this.zones.forEach((zone, i) => {
      if (!isShown || !zone.text) return this.labels.remove(`zone:${i}`);
      const [x0 = 0, y0 = 0, x1 = x0, y1 = y0] = zone.points;
      const height = Math.max(zone.height, MIN_HEIGHT);
      this.labels.set(`zone:${i}`, {
        text: zone.text,
        at: [(x0 + x1) / 2, (y0 + y1) / 2, height],
        color: COLORS[zone.on],
        kind: "zone",
        size: zone.form === "circle" ? 2 * zone.radius : Math.hypot(x1 - x0, y1 - y0),
      });
    });
  }

  dispose(): void {
    this.show(false);
    this.posts.dispose();
    this.group.traverse((item) => {
      if (!(item instanceof THREE.Mesh)) return;
      (item.geometry as THREE.BufferGeometry).dispose();
      (item.material as THREE.Material).dispose();
    });
    this.group.removeFromParent();
  }

  private add(geometry: THREE.BufferGeometry, color: string, opacity: number): void {
    tint(geometry, color, opacity);
    this.films.push(geometry);
  }

  /** Makes one mesh of all films: many areas are one draw call. */
  private join(): void {
    if (this.films.length === 0) return;
    const material = new THREE.MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      forceSinglePass: true,
      toneMapped: false,
    });
    const mesh = new THREE.Mesh(mergeGeometries(this.films), material);
    mesh.renderOrder = 10;
    this.group.add(mesh);
    for (const film of this.films.splice(0)) film.dispose();
  }

  private addCircle(zone: Zone, lift: number): void {
    const [x = 0, y = 0] = zone.points;
    const { radius } = zone;
    const height = Math.max(zone.height, MIN_HEIGHT);
    const color = COLORS[zone.on];
    const rim = Math.min(0.006, 0.1 * radius);
    const wall = new THREE.CylinderGeometry(radius, radius, height, ROUND, 1, true);
    this.add(wall.rotateX(Math.PI / 2).translate(x, y, lift + height / 2), color, 0.1);
    this.add(new THREE.CircleGeometry(radius, ROUND).translate(x, y, lift), color, 0.14);
    for (const z of [lift + 1e-4, lift + height]) {
      const ring = new THREE.RingGeometry(radius - rim, radius, ROUND).translate(x, y, z);
      this.add(ring, color, 0.6);
    }
  }

  private addBarrier(zone: Zone): void {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = zone.points;
    const height = Math.max(zone.height, MIN_HEIGHT);
    const color = COLORS[zone.on];
    const length = Math.hypot(x1 - x0, y1 - y0);
    const turn = Math.atan2(y1 - y0, x1 - x0);
    const place = (geometry: THREE.BufferGeometry, z: number) =>
      geometry.rotateX(Math.PI / 2).rotateZ(turn).translate((x0 + x1) / 2, (y0 + y1) / 2, z);
    this.add(place(new THREE.PlaneGeometry(length, height), height / 2), color, 0.16);
    this.add(place(new THREE.PlaneGeometry(length, 0.004), height), color, 0.7);
    for (const [x, y] of [[x0, y0], [x1, y1]] as const)
      this.posts.add([x, y, 0], [0, 0, height + 0.01], POST, color);
  }
}
