/** The bodies of a scene: few draw calls, moved by writing matrices. */

import * as THREE from "three";
import { Coarse } from "./coarse";
import { makeGeometry } from "./geometry";
import { DETAILS, TRAITS, type Quality } from "./quality";
import { makeMaterial, type SkyUniforms } from "./look";
import type { Batch, Pieces } from "./pieces";
import { MATRIX, placeMatrix, POSE } from "./pose";
import type { Sightline } from "./ribbon";

interface Drawn {
  readonly batch: Batch;
  readonly mesh: THREE.InstancedMesh;
  readonly locals: Float32Array;
  readonly glow: THREE.InstancedBufferAttribute;
}

export interface Hit {
  readonly body: number;
  readonly distance: number;
  readonly point: THREE.Vector3;
}

export class Solids {
  readonly group = new THREE.Group();
  private readonly drawn: Drawn[];
  private readonly materials = new Map<string, THREE.Material>();
  /** Draws what is solid in place of the batches, which then are only for picking. */
  private readonly coarse: Coarse | null;

  constructor(
    private readonly pieces: Pieces,
    quality: Quality,
    sky: SkyUniforms,
  ) {
    this.coarse = TRAITS[quality].detail ? null : new Coarse(pieces);
    if (this.coarse) this.group.add(this.coarse.group);
    this.drawn = pieces.batches.map((batch) => this.makeDrawn(batch, quality, sky));
  }

  /** Puts all pieces where their bodies are. */
  place(poses: Float32Array): void {
    for (const { batch, mesh, locals } of this.drawn) {
      const matrices = mesh.instanceMatrix.array as Float32Array;
      batch.pieces.forEach((piece, i) =>
        placeMatrix(matrices, MATRIX * i, poses, POSE * piece.body, locals, MATRIX * i),
      );
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    this.coarse?.place(poses);
  }

  /** Follows the eye. */
  look(sight: Sightline): void {
    this.coarse?.look(sight);
  }

  /**
   * Lets a body glow in a colour of linear light; black ends it.
   * `isMotor`: only its metal parts, if it has such.
   */
  setGlow(body: number, red: number, green: number, blue: number, isMotor = false): void {
    const places = this.pieces.ofBody[body] ?? [];
    const isDrum = (batch: number) => this.drawn[batch]!.batch.finish === "metal";
    const hasDrum = isMotor && places.some(([batch]) => isDrum(batch));
    for (const [batch, i] of places) {
      if (hasDrum && !isDrum(batch)) continue;
      const { glow, batch: { pieces } } = this.drawn[batch]!;
      if (glow.getX(i) === red && glow.getY(i) === green && glow.getZ(i) === blue) continue;
      glow.setXYZ(i, red, green, blue);
      glow.needsUpdate = true;
      this.coarse?.setGlow(pieces[i]!, red, green, blue);
    }
  }

  /** Returns the nearest body that a ray meets. */
  pick(ray: THREE.Raycaster): Hit | null {
    let best: Hit | null = null;
    for (const { batch, mesh } of this.drawn)
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.instanceId === undefined || (best && hit.distance >= best.distance)) continue;
        const body = batch.pieces[hit.instanceId]!.body;
        best = { body, distance: hit.distance, point: hit.point };
      }
    return best;
  }

  dispose(): void {
    this.coarse?.dispose();
    for (const { mesh } of this.drawn) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    for (const material of this.materials.values()) material.dispose();
    this.group.removeFromParent();
  }

  private makeDrawn(batch: Batch, quality: Quality, sky: SkyUniforms): Drawn {
    const { pieces, form, finish, isSolid } = batch;
    const geometry = makeGeometry(form, this.pieces.meshes, TRAITS[quality].detail ?? DETAILS[1]!);
    const count = pieces.length;
    const glow = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    glow.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("glow", glow);
    // Translucent pieces have a material for each opacity: it is no instance's own.
    const opacity = isSolid ? 1 : pieces[0]!.rgba[3];
    const look = TRAITS[quality].isShiny ? finish : "dull";
    const key = `${look}|${isSolid}|${opacity}`;
    const material = this.materials.get(key) ?? makeMaterial(finish, isSolid, quality, sky);
    material.opacity = opacity;
    this.materials.set(key, material);
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = isSolid && form !== "plane";
    mesh.receiveShadow = true;
    const color = new THREE.Color();
    const locals = new Float32Array(MATRIX * count);
    pieces.forEach((piece, i) => {
      const [red, green, blue] = piece.rgba;
      mesh.setColorAt(i, color.setRGB(red, green, blue, THREE.SRGBColorSpace));
      locals.set(piece.local, MATRIX * i);
    });
    if (isSolid && this.coarse) for (const piece of pieces) this.coarse.add(piece, material);
    else this.group.add(mesh);
    return { batch, mesh, locals, glow };
  }
}
