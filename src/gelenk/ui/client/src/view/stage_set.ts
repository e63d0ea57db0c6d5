/** Everything of one scene that is drawn; built when it is opened, freed with it. */

import * as THREE from "three";
import type { Frame } from "../frame";
import type { Scene } from "../protocol";
import type { ViewFlags } from "../settings";
import { Belts } from "./belts";
import { frustaOf } from "./frusta";
import type { Quality } from "./quality";
import { Ground } from "./ground";
import type { Labels } from "./labels";
import { Axes, Contacts, tipsOf, Trails } from "./layers";
import type { Look, SkyUniforms } from "./look";
import { Overlays } from "./overlay";
import { NO_ASSETS, type Assets } from "./meshes";
import { makePieces, pieceCorners, touchingBodies, visibleBodies, type Pieces } from "./pieces";
import type { Sightline } from "./ribbon";
import { Screens } from "./screens";
import { Solids } from "./solids";
import { Zones } from "./zones";

/** Red, green, blue of linear light. */
type Glow = readonly [number, number, number];

const STANDS = 0.005; // share of the top speed below which a motor stands
const FAST = 0.95;
const MOVING_GLOW: Glow = [0.95, 0.48, 0.0];
const FAST_GLOW: Glow = [1.0, 0.03, 0.03];
const SELECTED_GLOW: Glow = [0.02, 0.22, 0.55];
const NO_GLOW: Glow = [0, 0, 0];
const AXIS_SHARE = 0.03; // of the size of the scene: length of the axes of a body

export class StageSet {
  readonly group = new THREE.Group();
  solids: Solids;
  /** What touches, built when it is first to be seen. */
  private touching: Solids | null = null;
  readonly overlays: Overlays;
  readonly screens: Screens;
  selected = -1;
  private readonly pieces: Pieces;
  private readonly ground: Ground;
  private readonly zones: Zones;
  private readonly belts: Belts;
  private readonly axes: Axes;
  private readonly contacts = new Contacts();
  private readonly trails = new Trails();
  private readonly chosen = new Set<number>();
  private readonly motors: Int32Array;
  private readonly numbers: ReadonlyMap<string, number>;
  private flags: ViewFlags | null = null;
  private assets: Assets = NO_ASSETS;

  constructor(
    readonly scene: Scene,
    private readonly quality: Quality,
    look: Look,
    private readonly sky: SkyUniforms,
    private readonly labels: Labels,
  ) {
    this.numbers = new Map(scene.bodies.map((body, i) => [body.name, i]));
    this.overlays = new Overlays(labels);
    this.screens = new Screens(scene);
    this.pieces = makePieces(visibleBodies(scene.bodies));
    this.solids = new Solids(this.pieces, quality, sky);
    this.ground = new Ground(scene.floor, look, quality);
    this.zones = new Zones(scene.zones, labels);
    this.belts = new Belts(scene.belts);
    const { low, high } = scene.floor;
    const size = Math.hypot(high[0] - low[0], high[1] - low[1]);
    this.axes = new Axes(Math.min(Math.max(AXIS_SHARE * size, 0.05), 0.15));
    this.motors = Int32Array.from(scene.joints, (joint) => this.numbers.get(joint.body) ?? -1);
    this.group.add(
      this.ground.group, this.solids.group, this.zones.group, this.axes.group,
      this.contacts.group, this.trails.group, this.overlays.group, this.belts.group, this.screens.group,
    );
  }

  /** Number of a body by its name, -1 if there is none. */
  find(name: string | null): number {
    return name === null ? -1 : (this.numbers.get(name) ?? -1);
  }

  /** Corners of everything near the floor: what a camera should see. */
  corners(poses: Float32Array): number[] {
    const { low, high } = this.scene.floor;
    const isNear = (body: number) => {
      const [x, y, z] = poses.subarray(7 * body, 7 * body + 3) as unknown as number[];
      const isOver = x! > low[0] - 1 && x! < high[0] + 1 && y! > low[1] - 1 && y! < high[1] + 1;
      const isGround = this.scene.bodies[body]!.shapes.some((shape) => shape.shape === "plane");
      return isOver && Math.abs(z!) < 20 && !isGround;
    };
    const near = pieceCorners(this.pieces, poses, isNear);
    if (near.length > 0) return near;
    return [low[0], low[1], 0, high[0], high[1], 0];
  }

  paint(look: Look): void {
    this.ground.paint(look);
  }

  /** Draws meshes that have been fetched. */
  setAssets(assets: Assets, frame: Frame | null, poses: Float32Array): void {
    this.assets = assets;
    this.solids.dispose();
    this.solids = new Solids(this.pieces, this.quality, this.sky, assets);
    this.group.add(this.solids.group);
    this.touching?.dispose();
    this.touching = null;
    this.chooseSolids();
    if (frame) this.place(frame, poses);
  }

  /** Draws for a picture that stands still, or for one that moves. */
  setFine(isFine: boolean): void {
    this.solids.setFine(isFine);
    this.touching?.setFine(isFine);
  }

  /** Shows what is looked at, what touches, or both. */
  private chooseSolids(): void {
    const { visuals, collisions } = this.flags ?? { visuals: true, collisions: false };
    this.solids.group.visible = visuals;
    if (collisions && !this.touching) {
      const pieces = makePieces(touchingBodies(this.scene.bodies));
      this.touching = new Solids(pieces, this.quality, this.sky, this.assets);
      this.group.add(this.touching.group);
    }
    if (this.touching) this.touching.group.visible = collisions;
  }

  /** Switches what is drawn besides the bodies. */
  setFlags(flags: ViewFlags, frame: Frame | null, poses: Float32Array): void {
    this.flags = flags;
    this.chooseSolids();
    this.zones.show(flags.zones);
    this.axes.group.visible = flags.frames;
    this.contacts.group.visible = flags.contacts;
    this.chooseTrails();
    ["x", "y", "z"].forEach((text, k) => {
      const at: [number, number, number] = [0, 0, 0];
      at[k] = this.axes.length;
      if (flags.frames) this.labels.set(`axis:${text}`, { text, at, kind: "axis" });
      else this.labels.remove(`axis:${text}`);
    });
    if (frame) this.place(frame, poses);
  }

  /** Draws the way of a body, or no longer. */
  setTrail(body: number, isOn: boolean): void {
    if (isOn) this.chosen.add(body);
    else this.chosen.delete(body);
    this.chooseTrails();
  }

  hasTrail(body: number): boolean {
    return this.chosen.has(body);
  }

  /** Notes the ways of bodies; `isJump`: what was before is no way to here. */
  record(frame: Frame, isJump: boolean): void {
    if (isJump) this.trails.clear();
    this.trails.record(frame.poses);
  }

  /** Puts everything where it is. */
  place(frame: Frame, poses: Float32Array): void {
    this.solids.place(poses);
    if (this.touching?.group.visible) this.touching.place(poses);
    this.belts.place(frame.travels);
    this.screens.place(poses);
    if (this.flags?.frames) this.axes.update(this.scene.bodies, poses);
    if (this.scene.cameras.length > 0) {
      const isDrawn = (camera: string) => this.flags?.frames || this.screens.has(camera);
      this.overlays.set(" cameras", frustaOf(this.scene, poses, isDrawn));
    }
    this.showMotors(frame);
  }

  /** Follows the eye: lines keep their width. */
  look(sight: Sightline, frame: Frame | null): void {
    this.solids.look(sight);
    this.trails.update(sight);
    this.overlays.update(sight);
    if (frame && this.flags?.contacts) this.contacts.update(frame, sight);
  }

  dispose(): void {
    this.solids.dispose();
    this.touching?.dispose();
    this.ground.dispose();
    this.zones.dispose();
    this.belts.dispose();
    this.axes.dispose();
    this.contacts.dispose();
    this.trails.dispose();
    this.overlays.dispose();
    this.screens.dispose();
    for (const text of ["x", "y", "z"]) this.labels.remove(`axis:${text}`);
    this.group.removeFromParent();
  }

  private chooseTrails(): void {
    const tips = this.flags?.trails ? tipsOf(this.scene).map((name) => this.find(name)) : [];
    this.trails.choose([...new Set([...this.chosen, ...tips])].filter((body) => body >= 0));
  }

  private showMotors(frame: Frame): void {
    const isOn = this.flags?.motors ?? false;
    const glows = new Map<number, Glow>();
    this.motors.forEach((body, joint) => {
      const share = Math.abs(frame.shares[joint] ?? 0);
      if (body < 0) return;
      const glow = !isOn || share < STANDS ? NO_GLOW : share >= FAST ? FAST_GLOW : MOVING_GLOW;
      const known = glows.get(body);
      if (!known || glow[0] > known[0]) glows.set(body, glow);
    });
    this.scene.bodies.forEach((_, body) => {
      const motor = glows.get(body);
      const rest = body === this.selected ? SELECTED_GLOW : NO_GLOW;
      this.solids.setGlow(body, ...rest);
      if (motor && motor !== NO_GLOW) this.solids.setGlow(body, ...motor, true);
    });
  }
}
