/** The floor: tiles, paint and edge. */

import * as THREE from "three";
import type { Floor } from "../protocol";
import { paints, plate, tiles, type Sheet } from "./floor_plan";
import type { Look } from "./look";
import { makeDull, makeFlat } from "./plain";
import { TRAITS, type Quality } from "./quality";

/** Drawn before everything else, in this order, so that equal heights never flicker. */
const TILES = -30;
const PAINT = -20;

type FloorMaterial = THREE.MeshLambertMaterial | THREE.MeshBasicMaterial;

function flat(corners: Float32Array): THREE.BufferGeometry {
  const count = corners.length / 2;
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  for (let i = 0; i < count; i += 1) {
    positions[3 * i] = corners[2 * i]!;
    positions[3 * i + 1] = corners[2 * i + 1]!;
    normals[3 * i + 2] = 1;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  return geometry;
}

export class Ground {
  readonly group = new THREE.Group();
  private readonly sheet: Sheet;
  private readonly colors: THREE.BufferAttribute;
  private readonly edge: FloorMaterial;
  /** Where no shadows fall light changes little: its own colours are cheap. */
  private readonly hasLight: boolean;

  constructor(
    floor: Floor,
    look: Look,
    private readonly quality: Quality,
  ) {
    this.hasLight = TRAITS[quality].shadowMap > 0;
    this.sheet = tiles(floor);
    const count = this.sheet.isDark.length;
    this.colors = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    const top = flat(this.sheet.corners);
    top.setAttribute("color", this.colors);
    this.add(top, this.areaMaterial(1), TILES);
    this.edge = this.addEdge(floor);
    this.addPaint(floor);
    this.paint(look);
  }

  /** Follows the theme. */
  paint(look: Look): void {
    this.sheet.isDark.forEach((isDark, i) => {
      const { r, g, b } = isDark ? look.darkTile : look.tile;
      this.colors.setXYZ(i, r, g, b);
    });
    this.colors.needsUpdate = true;
    this.edge.color.copy(look.edge);
  }

  dispose(): void {
    this.group.traverse((item) => {
      if (!(item instanceof THREE.Mesh)) return;
      (item.geometry as THREE.BufferGeometry).dispose();
      (item.material as THREE.Material).dispose();
    });
    this.group.removeFromParent();
  }

  private add(geometry: THREE.BufferGeometry, material: THREE.Material, order: number): void {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = order;
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    this.group.add(mesh);
  }

  private material(parameters: THREE.MeshBasicMaterialParameters): FloorMaterial {
    return this.hasLight
      ? new THREE.MeshLambertMaterial(parameters as THREE.MeshLambertMaterialParameters)
      : new THREE.MeshBasicMaterial(parameters);
  }

  /** Of what is large and has the colours of its corners. */
  private areaMaterial(opacity: number): THREE.Material {
    if (TRAITS[this.quality].detail) return this.material({ vertexColors: true, opacity });
    return this.hasLight ? makeDull(opacity) : makeFlat(opacity);
  }

  private addEdge(floor: Floor): FloorMaterial {
    const { middle, size } = plate(floor);
    const geometry = new THREE.BoxGeometry(...size).translate(...middle);
    // The top is the tiles'.
    geometry.setIndex([...geometry.index!.array].filter((_, i) => i < 24 || i >= 30));
    const material = this.material({});
    this.add(geometry, material, TILES);
    return material;
  }

  private addPaint(floor: Floor): void {
    paints(floor).forEach(({ corners, rgba }, i) => {
      if (corners.length === 0) return;
      const [red, green, blue, alpha] = rgba;
      const { r, g, b } = new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
      const geometry = flat(corners);
      const colors = Array.from({ length: corners.length / 2 }, () => [r, g, b]).flat();
      geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
      const material = this.areaMaterial(alpha);
      material.depthTest = material.depthWrite = false;
      if (alpha < 1) {
        // Stays among what is solid, so that things standing on it are drawn over it.
        material.blending = THREE.CustomBlending;
        material.blendSrc = THREE.SrcAlphaFactor;
        material.blendDst = THREE.OneMinusSrcAlphaFactor;
      }
      this.add(geometry, material, PAINT + 1e-4 * i);
    });
  }
}
