/** A pose in the picture that a person can drag. */

import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Target } from "./types";

export class Gizmo {
  /** Whether it has the pointer. */
  isBusy = false;
  private readonly handle = new THREE.Object3D();
  private readonly controls: TransformControls;
  /** What is drawn of it. */
  readonly helper: THREE.Object3D;
  private target: Target | null = null;

  constructor(
    camera: THREE.Camera,
    canvas: HTMLCanvasElement,
    private readonly scene: THREE.Scene,
    private readonly redraw: () => void,
  ) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.setSize(1);
    this.controls.setSpace("world");
    this.helper = this.controls.getHelper();
    this.controls.addEventListener("change", () => this.changed());
    this.controls.addEventListener("dragging-changed", (event) => {
      this.isBusy = event.value === true;
      if (!this.isBusy) this.target?.onDrag(this.pose(), true);
    });
  }

  /** Whether the pointer is over a handle or drags one. */
  get isHot(): boolean {
    return this.isBusy || (this.target !== null && this.controls.axis !== null);
  }

  /** Shows a target, or none. */
  set(target: Target | null): void {
    this.target = target;
    if (!target) {
      this.controls.detach();
      this.handle.removeFromParent();
      this.helper.removeFromParent();
    } else if (!this.isBusy) {
      const [x = 0, y = 0, z = 0, w = 1, i = 0, j = 0, k = 0] = target.pose;
      this.handle.position.set(x, y, z);
      this.handle.quaternion.set(i, j, k, w);
      this.scene.add(this.handle, this.helper);
      this.controls.attach(this.handle);
    }
    this.redraw();
  }

  /** Lets a key choose between moving and turning; returns whether it did. */
  key(name: string): boolean {
    if (!this.target || (name !== "m" && name !== "t")) return false;
    this.controls.setMode(name === "m" ? "translate" : "rotate");
    this.redraw();
    return true;
  }

  dispose(): void {
    this.set(null);
    this.controls.dispose();
  }

  private pose(): number[] {
    const { position: p, quaternion: q } = this.handle;
    const sign = q.w < 0 ? -1 : 1;
    return [p.x, p.y, p.z, sign * q.w, sign * q.x, sign * q.y, sign * q.z];
  }

  private changed(): void {
    this.redraw();
    if (this.isBusy) this.target?.onDrag(this.pose(), false);
  }
}
