/** What is drawn besides the bodies, each switched by a flag: axes, contacts, trails. */

import * as THREE from "three";
import type { Frame } from "../frame";
import type { Body, Scene } from "../protocol";
import { Arrows, Marks } from "./marks";
import { POSE, rotate } from "./pose";
import { ribbonTriangles, Trail, writeRibbon, type Sightline } from "./ribbon";

const AXIS_COLORS = ["#e5484d", "#30a46c", "#3e63dd"];
const UNITS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const FORCE_COLOR = "#d6409f";
const POINT_COLOR = "#ffb224";
const TRAIL_COLORS = ["#f76b15", "#0090ff", "#30a46c", "#8e4ec6", "#00a2c7", "#e5484d"];
const TRAIL_WIDTH = 2.4; // px
const MAX_TRAILS = 16;

/** Axes of all bodies and of the world. */
export class Axes {
  readonly group = new THREE.Group();
  private readonly sticks = new Marks("stick");
  private readonly world = new Arrows();

  /** Of the world's axes [m]. */
  readonly length: number;

  /** `size`: length of the axes of a body [m]. */
  constructor(private readonly size: number) {
    this.length = 2.2 * size;
    this.group.add(this.sticks.group, this.world.group);
    this.world.begin(3);
    UNITS.forEach((unit, k) => {
      const along = unit.map((value) => this.length * value);
      this.world.add([0, 0, 0.002], along, 0.035 * size, AXIS_COLORS[k]!);
    });
    this.world.end();
  }

  update(bodies: readonly Body[], poses: Float32Array): void {
    this.sticks.begin(3 * bodies.length);
    bodies.forEach((body, i) => {
      if (body.shapes.length === 0 && !body.robot) return;
      const pose = poses.subarray(POSE * i, POSE * (i + 1));
      const length = body.group === "fixed" ? 0.6 * this.size : this.size;
      UNITS.forEach((unit, k) => {
        const along = rotate([pose[3]!, pose[4]!, pose[5]!, pose[6]!], unit);
        const from = [pose[0]!, pose[1]!, pose[2]!];
        this.sticks.add(from, along.map((v) => length * v), 0.03 * length, AXIS_COLORS[k]!);
      });
    });
    this.sticks.end();
  }

  dispose(): void {
    this.sticks.dispose();
    this.world.dispose();
    this.group.removeFromParent();
  }
}

/** How long the arrow of a force is drawn [m]: 1 N 4 cm, 100 N 40 cm. */
export function arrowLength(force: number): number {
  return 0.04 * Math.sqrt(Math.max(force, 0));
}

/** Contact points, and the forces that act there. */
export class Contacts {
  readonly group = new THREE.Group();
  private readonly dots = new Marks("dot", { isOnTop: true, opacity: 0.9 });
  private readonly arrows = new Arrows({ isOnTop: true });

  constructor() {
    this.group.add(this.dots.group, this.arrows.group);
  }

  update(frame: Frame, sight: Sightline): void {
    const { contacts } = frame;
    const count = contacts.length / 6;
    this.dots.begin(count);
    this.arrows.begin(count);
    for (let i = 0; i < count; i += 1) {
      const [x, y, z, fx, fy, fz] = contacts.subarray(6 * i, 6 * i + 6) as unknown as number[];
      const point = [x!, y!, z!];
      const away = Math.hypot(sight.eye[0] - x!, sight.eye[1] - y!, sight.eye[2] - z!);
      const size = sight.pixel * away;
      this.dots.put(point, [1, 0, 0, 0], new Array<number>(3).fill(3 * size), POINT_COLOR);
      const force = Math.hypot(fx!, fy!, fz!);
      if (force < 1e-3) continue;
      const share = arrowLength(force) / force;
      this.arrows.add(point, [share * fx!, share * fy!, share * fz!], 1.3 * size, FORCE_COLOR);
    }
    this.dots.end();
    this.arrows.end();
  }

  dispose(): void {
    this.dots.dispose();
    this.arrows.dispose();
    this.group.removeFromParent();
  }
}

/** Bodies whose ways are shown where nobody chose others: the tips of robots. */
export function tipsOf(scene: Scene): string[] {
  const tips = new Map<string, string>();
  for (const body of scene.bodies) if (body.robot) tips.set(body.robot, body.name);
  return [...tips.values()].slice(0, MAX_TRAILS);
}

/** Lines that bodies leave behind. */
export class Trails {
  readonly group = new THREE.Group();
  private readonly material = new THREE.MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    toneMapped: false,
  });
  private readonly lines = new Map<number, { trail: Trail; mesh: THREE.Mesh }>();

  /** Chooses the bodies, by number; those that stay keep their lines. */
  choose(bodies: readonly number[]): void {
    const wanted = bodies.slice(0, MAX_TRAILS);
    for (const [body, line] of this.lines)
      if (!wanted.includes(body)) {
        line.mesh.geometry.dispose();
        line.mesh.removeFromParent();
        this.lines.delete(body);
      }
    wanted.forEach((body, i) => {
      if (!this.lines.has(body)) this.lines.set(body, this.makeLine(i));
    });
  }

  clear(): void {
    for (const { trail } of this.lines.values()) trail.clear();
  }

  /** Notes where the bodies are. */
  record(poses: Float32Array): void {
    for (const [body, { trail }] of this.lines) {
      const at = POSE * body;
      if (at + 2 < poses.length) trail.push(poses[at]!, poses[at + 1]!, poses[at + 2]!);
    }
  }

  update(sight: Sightline): void {
    for (const { trail, mesh } of this.lines.values()) {
      const { geometry } = mesh;
      const positions = geometry.getAttribute("position") as THREE.BufferAttribute;
      writeRibbon(
        positions.array as Float32Array, trail.points, trail.count, TRAIL_WIDTH, sight,
      );
      positions.needsUpdate = true;
      const colors = geometry.getAttribute("color") as THREE.BufferAttribute;
      for (let i = 0; i < 2 * trail.count; i += 1)
        colors.setW(i, 0.9 * Math.min(1, (i + 2) / (1.2 * trail.count)));
      colors.needsUpdate = true;
      geometry.setDrawRange(0, 6 * Math.max(trail.count - 1, 0));
    }
  }

  dispose(): void {
    this.choose([]);
    this.material.dispose();
    this.group.removeFromParent();
  }

  private makeLine(number: number): { trail: Trail; mesh: THREE.Mesh } {
    const trail = new Trail();
    const geometry = new THREE.BufferGeometry();
    const count = 2 * trail.capacity;
    const color = new THREE.Color(TRAIL_COLORS[number % TRAIL_COLORS.length]);
    const colors = new Float32Array(4 * count);
    for (let i = 0; i < count; i += 1) colors.set([color.r, color.g, color.b, 1], 4 * i);
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * count), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 4));
    geometry.setIndex(ribbonTriangles(trail.capacity));
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 20;
    this.group.add(mesh);
    return { trail, mesh };
  }
}
