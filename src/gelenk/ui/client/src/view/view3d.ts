/** `View3d`: brings together scene, camera, frames and what a person does. */

import * as THREE from "three";
import type { Frame } from "../frame";
import type { Scene, Vec3 } from "../protocol";
import type { ViewFlags } from "../settings";
import { Backdrop } from "./backdrop";
import { Canvas } from "./canvas";
import { Card } from "./card";
import { Controls } from "./controls";
import { Gizmo } from "./gizmo";
import { TRAITS, type Quality } from "./quality";
import { Labels } from "./labels";
import { Lights } from "./lights";
import { makeSky, readLook, type Look } from "./look";
import { eyeOf, fit, FOV, lookAt, PRESETS, type Orbit } from "./orbit";
import type { Overlay } from "./overlay";
import { follows, Playback } from "./playback";
import { POSE } from "./pose";
import { Library, type Assets } from "./meshes";
import type { Sightline } from "./ribbon";
import type { Hit } from "./solids";
import { StageSet } from "./stage_set";
import { Traveller } from "./traveller";
import type { GroundWish, Target, View, ViewInfo, ViewName } from "./types";

const OUTLIERS = 2.5; // times the distance that the scene says: farther is too far
const PICK = " pick"; // giver of the cross under the mouse
const PICK_COLOR = "#d6409f";
const ASPECT = 1.5; // of pictures for which a scene chooses its view
const COVER = 500; // ms between two looks at what the shadows must cover
const KEYS: Readonly<Record<string, ViewName>> = { h: "home", Home: "home" };

/** Lets go of what a lost context held; the next picture uploads everything anew. */
function forgetGraphics(root: THREE.Object3D): void {
  root.traverse((item) => {
    if (item instanceof THREE.InstancedMesh) item.dispose();
    if (item instanceof THREE.Mesh || item instanceof THREE.Line) {
      (item.geometry as THREE.BufferGeometry).dispose();
      for (const material of [item.material].flat() as THREE.Material[]) material.dispose();
    }
    if (item instanceof THREE.DirectionalLight) item.shadow.dispose();
  });
}

/** Shows a scene in an element; fed with scenes, frames and flags from outside. */
export class View3d implements View {
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera((FOV * 180) / Math.PI);
  private readonly surface: Canvas;
  private readonly lights: Lights;
  private readonly backdrop: Backdrop;
  private readonly sky = makeSky();
  private readonly labels: Labels;
  private readonly card: Card;
  private readonly gizmo: Gizmo;
  private readonly controls: Controls;
  private readonly playback = new Playback();
  private readonly traveller = new Traveller();
  private readonly note = document.createElement("p");
  private readonly ray = new THREE.Raycaster();
  private readonly library = new Library();
  private look: Look;
  private stage: StageSet | null = null;
  private flags: ViewFlags | null = null;
  private hoverAt: readonly [number, number] | null = null;
  private draggable: Target | null = null;
  private wish: GroundWish | null = null;
  private isNew = false;
  private isFetching = false;
  private isMoved = false;
  private isJump = false;
  private lastCover = 0;
  private isDisposed = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly quality: Quality,
  ) {
    parent.classList.add("view");
    this.look = readLook(parent);
    this.lights = new Lights(quality);
    this.backdrop = new Backdrop(!TRAITS[quality].isShiny);
    this.scene.add(this.lights.group, this.backdrop.mesh);
    this.camera.up.set(0, 0, 1);
    this.surface = this.makeSurface();
    this.labels = new Labels(parent);
    this.note.className = "view-note";
    this.note.hidden = true;
    this.note.setAttribute("role", "status");
    parent.append(this.note);
    this.card = new Card(parent, {
      follow: (isOn) => this.follow(isOn && this.stage ? this.stage.selected : -1),
      trail: (isOn) => this.stage?.setTrail(this.stage.selected, isOn),
      close: () => this.selectBody(-1),
    });
    this.gizmo = new Gizmo(this.camera, this.canvas, this.scene, () => this.surface.request());
    this.controls = this.makeControls();
    this.repaint();
  }

  // -- what the page asks --------------------------------------------------------------

  get canvas(): HTMLCanvasElement {
    return this.surface.element;
  }

  get target(): Target | null {
    return this.draggable;
  }

  set target(target: Target | null) {
    this.draggable = target;
    this.gizmo.set(target);
  }

  /** Shows another scene, or none. */
  setScene(scene: Scene | null): void {
    this.selectBody(-1);
    this.unhover();
    this.traveller.follow(-1, null, 0);
    this.stage?.dispose();
    this.stage = null;
    this.playback.clear();
    this.lights.forget();
    this.surface.renderer.renderLists.dispose();
    if (scene) {
      this.stage = new StageSet(scene, this.quality, this.look, this.sky, this.labels);
      this.stage.group.visible = false; // until the first frame says where things are
      this.scene.add(this.stage.group);
      this.isNew = true;
      if (this.flags) this.stage.setFlags(this.flags, null, this.playback.poses);
      const label = `3-D view of the scene: ${scene.title || scene.name}`;
      this.canvas.setAttribute("aria-label", label);
    }
    void this.fetchMeshes(this.stage);
    this.surface.request();
  }

  /** Fetches the meshes of a stage, and draws them if it is still shown then. */
  private async fetchMeshes(stage: StageSet | null): Promise<void> {
    const bodies = stage?.scene.bodies ?? [];
    this.isFetching = bodies.some((body) => body.shapes.some((shape) => shape.mesh));
    const assets: Assets = await this.library.load(bodies, !TRAITS[this.quality].detail);
    if (!stage || stage !== this.stage || this.isDisposed || !this.isFetching) return;
    this.isFetching = false;
    stage.setAssets(assets, this.playback.frame, this.playback.poses);
    this.surface.shadowsChanged();
    this.surface.request();
  }

  setFlags(flags: ViewFlags): void {
    this.flags = flags;
    this.stage?.setFlags(flags, this.playback.frame, this.playback.poses);
    this.surface.request();
  }

  /** Takes in a frame to draw. */
  show(frame: Frame): void {
    const { stage } = this;
    if (!stage || frame.poses.length !== POSE * stage.scene.bodies.length) return;
    const isJump = !follows(this.playback.frame, frame);
    this.isJump ||= isJump;
    stage.record(frame, isJump);
    this.playback.push(frame, performance.now());
    this.isMoved = true;
    if (this.isNew) {
      this.isNew = false;
      stage.group.visible = true;
      this.traveller.travel(this.viewOf("home"), 0, true);
    }
    this.surface.request();
  }

  /** Follows the theme. */
  repaint(): void {
    this.look = readLook(this.parent);
    this.lights.paint(this.look);
    this.backdrop.paint(this.look);
    this.sky.skyHigh.value.copy(this.look.skyHigh);
    this.sky.skyLow.value.copy(this.look.skyLow);
    this.stage?.paint(this.look);
    this.surface.request();
  }

  setView(name: ViewName): void {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.traveller.travel(this.viewOf(name), performance.now(), isCalm);
    this.surface.request();
  }

  focusOn(body: string | null): void {
    this.follow(this.stage?.find(body) ?? -1);
  }

  select(body: string | null): void {
    this.selectBody(this.stage?.find(body) ?? -1);
  }

  setOverlays(giver: string, items: readonly Overlay[]): void {
    this.stage?.overlays.set(giver, items);
    this.surface.request();
  }

  setScreen(camera: string, image: ImageBitmap | null): void {
    this.stage?.screens.set(camera, image);
    this.isMoved = true;
    this.surface.request();
  }

  pickGround(wish: GroundWish | null): void {
    this.wish = wish;
    this.unhover();
    this.stage?.overlays.set(PICK, []);
    this.surface.request();
    if (wish) this.canvas.focus({ preventScroll: true });
    this.canvas.style.cursor = wish ? "crosshair" : "";
  }

  screenshot(): Promise<Blob> {
    this.surface.drawNow();
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error("The browser made no picture.")),
      ),
    );
  }

  testInfo(): ViewInfo {
    const { render, memory } = this.surface.renderer.info;
    const nameOf = (body: number) => this.stage?.scene.bodies[body]?.name ?? null;
    return {
      frames: this.surface.drawn,
      bodies: this.stage && !this.isNew ? this.stage.scene.bodies.length : 0,
      fps: this.surface.fps,
      camera: this.traveller.orbit,
      quality: this.quality,
      ratio: this.surface.ratio,
      calls: render.calls,
      triangles: render.triangles,
      geometries: memory.geometries,
      textures: memory.textures,
      isFetching: this.isFetching,
      selected: nameOf(this.stage?.selected ?? -1),
      followed: nameOf(this.traveller.followed),
      place: (body) => this.projected(this.positionOf(this.stage?.find(body) ?? -1)),
      project: (point) => this.projected(point),
      target: this.projected(this.draggable?.pose ?? null),
    };
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.controls.dispose();
    this.gizmo.dispose();
    this.setScene(null);
    this.backdrop.dispose();
    this.lights.dispose();
    this.library.dispose();
    this.labels.dispose();
    this.note.remove();
    this.surface.dispose();
    this.parent.classList.remove("view");
  }

  // -- drawing -----------------------------------------------------------------------

  private makeSurface(): Canvas {
    const surface = new Canvas(this.parent, this.quality, {
      scene: this.scene,
      camera: this.camera,
      prepare: (now) => this.prepare(now),
      resized: (width, height) => {
        this.camera.aspect = width / height;
      },
      setShadows: (areOn) => this.lights.setShadows(areOn),
      setFine: (isFine) => this.stage?.setFine(isFine),
      lost: (message) => {
        this.note.hidden = message === null;
        this.note.textContent = message ?? "";
        if (message === null) return;
        forgetGraphics(this.scene);
        forgetGraphics(this.gizmo.helper);
      },
    });
    this.camera.aspect = surface.width / surface.height;
    surface.element.tabIndex = 0;
    surface.element.setAttribute("role", "img");
    surface.element.setAttribute("aria-label", "3-D view of the scene");
    return surface;
  }

  /** Brings everything to a time; returns whether it goes on moving by itself. */
  private prepare(now: number): boolean {
    const { stage, playback } = this;
    let goesOn = playback.advance(now);
    if (stage && playback.frame && this.isMoved) {
      stage.place(playback.frame, playback.poses);
      this.surface.shadowsChanged();
      this.card.update(stage.scene, playback.poses, playback.frame, this.isJump);
      this.isJump = false;
      this.isMoved = goesOn;
      this.cover(now);
    }
    goesOn = this.traveller.advance(now, this.positionOf(this.traveller.followed)) || goesOn;
    const sight = this.aim();
    stage?.look(sight, playback.frame);
    this.hover();
    this.labels.place(this.camera, this.surface.width, this.surface.height);
    return goesOn;
  }

  private aim(): Sightline {
    const { camera } = this;
    const { orbit } = this.traveller;
    const eye = eyeOf(orbit);
    camera.position.set(...eye);
    camera.lookAt(...orbit.focus);
    const { low, high } = this.stage?.scene.floor ?? { low: [-1, -1], high: [1, 1] };
    const size = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!);
    camera.near = Math.max(0.005, 0.02 * orbit.distance);
    camera.far = 3 * orbit.distance + 3 * size + 10;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    return { eye, pixel: (2 * Math.tan(FOV / 2)) / this.surface.height };
  }

  /** Now and then: lets the shadows reach everything that is near the floor. */
  private cover(now: number): void {
    if (!this.stage || now - this.lastCover < COVER) return;
    this.lastCover = now;
    this.lights.cover(this.stage.corners(this.playback.poses));
  }

  // -- camera ------------------------------------------------------------------------

  private viewOf(name: ViewName): Orbit {
    const { stage, playback, camera } = this;
    if (!stage) return this.traveller.orbit;
    const { scene } = stage;
    const corners = stage.corners(playback.poses);
    const said = lookAt(scene.eye, scene.focus);
    if (name !== "home") return fit(corners, PRESETS[name], camera.aspect);
    if (scene.is_view_chosen)
      return { ...said, distance: said.distance * Math.max(1, ASPECT / camera.aspect) };
    const found = fit(corners, said, camera.aspect);
    // Who lies far away does not make everything else small.
    const farthest = OUTLIERS * said.distance * Math.max(1, 1 / camera.aspect);
    return found.distance <= farthest ? found : { ...said, distance: farthest };
  }

  private positionOf(body: number): Vec3 | null {
    const { poses } = this.playback;
    const at = POSE * body;
    if (body < 0 || at + POSE > poses.length) return null;
    return [poses[at]!, poses[at + 1]!, poses[at + 2]!];
  }

  /** Where a point of the world is in the picture [px]. */
  private projected(at: readonly number[] | null): [number, number] | null {
    if (!at) return null;
    const { x, y } = new THREE.Vector3(at[0], at[1], at[2]).project(this.camera);
    return [(0.5 + x / 2) * this.surface.width, (0.5 - y / 2) * this.surface.height];
  }

  private follow(body: number): void {
    this.traveller.follow(body, this.positionOf(body), performance.now());
    this.surface.request();
  }

  // -- pointing ----------------------------------------------------------------------

  private makeControls(): Controls {
    return new Controls({
      canvas: this.canvas,
      isBusy: () => this.gizmo.isHot,
      camera: () => this.traveller.orbit,
      move: (camera, isFocusMoved) => {
        this.traveller.move(camera, isFocusMoved);
        this.surface.request();
      },
      click: (x, y) => {
        if (this.wish) this.pickAt(x, y);
        else this.selectBody(this.pick(x, y)?.body ?? -1);
      },
      doubleClick: (x, y) => this.follow(this.pick(x, y)?.body ?? -1),
      hover: (x, y) => {
        if (this.wish) return this.markPick(this.groundAt(x, y));
        this.hoverAt = [x, y];
        this.surface.request();
      },
      leave: () => (this.wish ? this.markPick(null) : this.unhover()),
      key: (name) => this.key(name),
    });
  }

  private key(name: string): boolean {
    if (this.gizmo.key(name)) return true;
    if (name === "Escape" && this.wish) {
      this.wish.onCancel();
      return true;
    }
    if (name === "Escape" && (this.stage?.selected ?? -1) >= 0) this.selectBody(-1);
    else if (KEYS[name]) this.setView(KEYS[name]);
    else return false;
    return true;
  }

  /** Where the ray through a pixel meets the plane of the wish. */
  private groundAt(x: number, y: number): readonly [number, number] | null {
    const { width, height } = this.surface;
    this.ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), -(this.wish?.height ?? 0));
    const at = this.ray.ray.intersectPlane(plane, new THREE.Vector3());
    return at && [at.x, at.y];
  }

  private markPick(at: readonly [number, number] | null): void {
    const z = this.wish?.height ?? 0;
    const size = 0.035 * this.traveller.orbit.distance;
    const cross = (along: readonly [number, number]): Overlay[] =>
      at
        ? [-1, 1].map((sign) => ({
            kind: "line",
            width: 2,
            color: PICK_COLOR,
            points: [0.35, 1].flatMap((share) => [
              at[0] + sign * share * size * along[0],
              at[1] + sign * share * size * along[1],
              z + 0.004,
            ]),
          }))
        : [];
    const text: Overlay[] = at
      ? [{ kind: "text", at: [at[0], at[1], z + size], text: `x ${at[0].toFixed(2)} m, y ${at[1].toFixed(2)} m`, color: PICK_COLOR }]
      : [];
    this.stage?.overlays.set(PICK, [...cross([1, 0]), ...cross([0, 1]), ...text]);
    this.surface.request();
  }

  private pickAt(x: number, y: number): void {
    const at = this.groundAt(x, y);
    if (at) this.wish?.onPick(...at);
  }

  private pick(x: number, y: number): Hit | null {
    if (!this.stage || this.isNew) return null;
    const { width, height } = this.surface;
    this.ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return this.stage.solids.pick(this.ray);
  }

  /** Names the body under the mouse. */
  private hover(): void {
    if (!this.hoverAt) return;
    const hit = this.pick(...this.hoverAt);
    this.hoverAt = null;
    this.canvas.style.cursor = hit ? "pointer" : "";
    if (!hit || !this.stage) return this.labels.remove("hover");
    const { x, y, z } = hit.point;
    const text = this.stage.scene.bodies[hit.body]!.name;
    this.labels.set("hover", { text, at: [x, y, z], kind: "name" });
  }

  private unhover(): void {
    this.hoverAt = null;
    this.canvas.style.cursor = "";
    this.labels.remove("hover");
  }

  private selectBody(body: number): void {
    const { stage, playback } = this;
    this.card.close();
    if (!stage) return;
    stage.selected = body;
    this.isMoved = true;
    if (body >= 0) {
      this.card.open(stage.scene, body, this.traveller.followed === body, stage.hasTrail(body));
      if (playback.frame) this.card.update(stage.scene, playback.poses, playback.frame, true);
    }
    this.surface.request();
  }
}
