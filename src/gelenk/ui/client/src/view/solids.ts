/** The bodies of a scene: few draw calls, moved by writing matrices. */

import * as THREE from "three";
import { Coarse } from "./coarse";
import { makeGeometry } from "./geometry";
import { DETAILS, TRAITS, type Quality } from "./quality";
import { makeMaterial, type SkyUniforms } from "./look";
import { bundleGeometry, hasCoarse, isThere, NO_ASSETS, type Assets } from "./meshes";
import type { Batch, MeshPart, Pieces } from "./pieces";
import { MATRIX, placeMatrix, POSE } from "./pose";
import type { Sightline } from "./ribbon";

const MERGED = 1500; // corners up to which a mesh is moved with all others, see `Merged`

interface Drawn {
  readonly batch: Batch;
  readonly mesh: THREE.InstancedMesh;
  readonly locals: Float32Array;
  readonly glow: THREE.InstancedBufferAttribute;
  /** For a picture that stands still, and for one that moves. */
  readonly fine: THREE.BufferGeometry;
  readonly coarse: THREE.BufferGeometry;
}

export interface Hit {
  readonly body: number;
  readonly distance: number;
  readonly point: THREE.Vector3;
}

export class Solids {
  readonly group = new THREE.Group();
  /** In the order of the batches; null: meshes that are not there. */
  private readonly drawn: (Drawn | null)[];
  private readonly materials = new Map<string, THREE.Material>();
  /** Draws what is solid in place of the batches, which then are only for picking. */
  private readonly coarse: Coarse | null;

  constructor(
    private readonly pieces: Pieces,
    quality: Quality,
    sky: SkyUniforms,
    private readonly assets: Assets = NO_ASSETS,
  ) {
    this.coarse = TRAITS[quality].detail ? null : new Coarse(pieces, assets.meshes);
    if (this.coarse) this.group.add(this.coarse.group);
    this.drawn = pieces.batches.map((batch) => this.makeDrawn(batch, quality, sky));
  }

  /** Puts all pieces where their bodies are. */
  place(poses: Float32Array): void {
    for (const item of this.drawn) {
      if (!item) continue;
      const { batch, mesh, locals } = item;
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
   * `isMotor`: only its metal parts, if it has such; meshes have none.
   */
  setGlow(body: number, red: number, green: number, blue: number, isMotor = false): void {
    const places = this.pieces.ofBody[body] ?? [];
    const batches = this.pieces.batches;
    const isDrum = (batch: number) => batches[batch]!.finish === "metal";
    const isMesh = (batch: number) => this.pieces.bundles.has(batches[batch]!.form);
    const hasDrum = isMotor && places.some(([batch]) => isDrum(batch) || isMesh(batch));
    for (const [batch, i] of places) {
      const item = this.drawn[batch];
      if (!item || (hasDrum && !isDrum(batch))) continue;
      const { glow, batch: { pieces } } = item;
      if (glow.getX(i) === red && glow.getY(i) === green && glow.getZ(i) === blue) continue;
      glow.setXYZ(i, red, green, blue);
      glow.needsUpdate = true;
      this.coarse?.setGlow(pieces[i]!, red, green, blue);
    }
  }

  /** Draws meshes with all their triangles, or with few where every triangle counts. */
  setFine(isFine: boolean): void {
    for (const item of this.drawn)
      if (item) item.mesh.geometry = isFine ? item.fine : item.coarse;
  }

  /** Returns the nearest body that a ray meets. */
  pick(ray: THREE.Raycaster): Hit | null {
    let best: Hit | null = null;
    for (const item of this.drawn)
      for (const hit of item ? ray.intersectObject(item.mesh, false) : []) {
        if (hit.instanceId === undefined || (best && hit.distance >= best.distance)) continue;
        const body = item!.batch.pieces[hit.instanceId]!.body;
        best = { body, distance: hit.distance, point: hit.point };
      }
    return best;
  }

  dispose(): void {
    this.coarse?.dispose();
    for (const item of this.drawn) {
      item?.fine.dispose();
      item?.coarse.dispose();
      item?.mesh.dispose();
    }
    for (const material of this.materials.values()) material.dispose();
    this.group.removeFromParent();
  }

  private makeDrawn(batch: Batch, quality: Quality, sky: SkyUniforms): Drawn | null {
    const { pieces, form, isSolid } = batch;
    const { bundles } = this.pieces;
    const parts = bundles.get(form);
    if (parts && !isThere(parts, this.assets)) return null;
    const detail = TRAITS[quality].detail ?? DETAILS[1]!;
    const fine = makeGeometry(form, bundles, this.assets.meshes, detail);
    const isSimple = parts && !TRAITS[quality].detail && hasCoarse(parts, this.assets);
    const coarse = isSimple ? bundleGeometry(parts, this.assets.meshes, true) : fine;
    const count = pieces.length;
    const glow = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
    glow.setUsage(THREE.DynamicDrawUsage);
    fine.setAttribute("glow", glow);
    coarse.setAttribute("glow", glow);
    const isLarge = parts !== undefined && fine.getAttribute("position").count > MERGED;
    const hasTexture = parts !== undefined && parts[0]!.texture !== "";
    const isMoved = isSolid && this.coarse !== null && !isLarge && !hasTexture;
    const material = this.materialOf(batch, quality, sky, isMoved ? undefined : parts);
    const mesh = new THREE.InstancedMesh(coarse, material, count);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = parts !== undefined;
    mesh.castShadow = isSolid && form !== "plane";
    mesh.receiveShadow = true;
    const color = new THREE.Color();
    const locals = new Float32Array(MATRIX * count);
    pieces.forEach((piece, i) => {
      const [red, green, blue] = piece.rgba;
      if (!parts) mesh.setColorAt(i, color.setRGB(red, green, blue, THREE.SRGBColorSpace));
      locals.set(piece.local, MATRIX * i);
    });
    if (isMoved) for (const piece of pieces) this.coarse!.add(piece, material);
    else this.group.add(mesh);
    return { batch, mesh, locals, glow, fine, coarse };
  }

  /** Material of a batch, the same for all that look alike; `parts`: of its own mesh. */
  private materialOf(
    { pieces, finish, isSolid }: Batch,
    quality: Quality,
    sky: SkyUniforms,
    parts: readonly MeshPart[] | undefined,
  ): THREE.Material {
    // Translucent pieces have a material for each opacity: it is no instance's own.
    const opacity = isSolid ? 1 : pieces[0]!.rgba[3];
    const look = TRAITS[quality].isShiny ? finish : "dull";
    const texture = parts?.[0]!.texture ?? "";
    const isOpen = parts?.some(({ mesh }) => this.assets.meshes.get(mesh)!.isOpen) ?? false;
    const key = `${look}|${isSolid}|${opacity}|${parts ? `${isOpen}|${texture}` : ""}`;
    const known = this.materials.get(key);
    if (known) return known;
    const own = parts && { isOpen, map: this.assets.textures.get(texture) ?? null };
    const material = makeMaterial(finish, isSolid, quality, sky, own);
    material.opacity = opacity;
    this.materials.set(key, material);
    return material;
  }
}
