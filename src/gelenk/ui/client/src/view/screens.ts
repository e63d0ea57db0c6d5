/** Images of cameras on the far side of what they see. */

import * as THREE from "three";
import type { Camera, Scene } from "../protocol";
import { DEPTH, imageCorners } from "./frusta";
import { POSE } from "./pose";

interface Screen {
  readonly camera: Camera;
  readonly body: number;
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
  /** Turns and moves like the camera: x right, y down, z ahead. */
  readonly holder: THREE.Group;
}

export class Screens {
  readonly group = new THREE.Group();
  private readonly screens = new Map<string, Screen>();
  private poses: Float32Array | null = null;

  constructor(private readonly scene: Scene) {}

  has(camera: string): boolean {
    return this.screens.has(camera);
  }

  /** Shows an image of a camera; null: none. */
  set(name: string, image: ImageBitmap | null): void {
    const known = this.screens.get(name);
    if (!image) {
      if (known) this.remove(name, known);
      return;
    }
    const screen = known ?? this.make(name);
    if (!screen) return;
    const { material } = screen.mesh;
    material.map?.dispose();
    material.map = new THREE.Texture(image);
    material.map.flipY = false; // bitmaps are not turned by the browser
    material.map.colorSpace = THREE.SRGBColorSpace;
    material.map.generateMipmaps = false;
    material.map.minFilter = THREE.LinearFilter;
    material.map.needsUpdate = true;
    material.needsUpdate = true;
    if (this.poses) this.place(this.poses);
  }

  place(poses: Float32Array): void {
    this.poses = poses;
    for (const { body, holder } of this.screens.values()) {
      const pose = poses.subarray(POSE * body, POSE * (body + 1));
      if (pose.length < POSE) continue;
      holder.position.set(pose[0]!, pose[1]!, pose[2]!);
      holder.quaternion.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
    }
  }

  dispose(): void {
    for (const [name, screen] of this.screens) this.remove(name, screen);
    this.group.removeFromParent();
  }

  private make(name: string): Screen | null {
    const camera = this.scene.cameras.find((item) => item.name === name);
    const body = this.scene.bodies.findIndex((item) => item.name === camera?.body);
    if (!camera || body < 0) return null;
    const [first, , third] = imageCorners(camera) as [number[], number[], number[]];
    const geometry = new THREE.PlaneGeometry(third[0]! - first[0]!, third[1]! - first[1]!);
    const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, toneMapped: false });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.z = DEPTH;
    const holder = new THREE.Group();
    holder.add(mesh);
    this.group.add(holder);
    const screen = { camera, body, mesh, holder };
    this.screens.set(name, screen);
    return screen;
  }

  private remove(name: string, { mesh, holder }: Screen): void {
    mesh.geometry.dispose();
    mesh.material.map?.dispose();
    mesh.material.dispose();
    holder.removeFromParent();
    this.screens.delete(name);
  }
}
