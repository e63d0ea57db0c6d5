/** Unit solids and meshes as the renderer wants them. */

import * as THREE from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";
import { bundleGeometry, type MeshData } from "./meshes";
import type { Pieces } from "./pieces";
import type { Detail } from "./quality";

/** Turns a solid along y, as three.js makes them, to one along z. */
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

/** A ball of radius 1 with few corners, evenly spread. */
function ball(cuts: number): THREE.BufferGeometry {
  const raw = new THREE.IcosahedronGeometry(1, cuts);
  raw.deleteAttribute("uv");
  raw.deleteAttribute("normal");
  const merged = mergeVertices(raw, 1e-4);
  merged.setAttribute("normal", merged.getAttribute("position").clone());
  raw.dispose();
  return merged;
}

/** Half a ball of radius 1 towards z, that fits the end of a cylinder. */
function cap({ sides, rings }: Detail): THREE.BufferGeometry {
  return upright(new THREE.SphereGeometry(1, sides, rings, 0, 2 * Math.PI, 0, Math.PI / 2));
}

/** Returns the corners of a form; see `Batch.form`. */
export function makeGeometry(
  form: string,
  bundles: Pieces["bundles"],
  meshes: ReadonlyMap<string, MeshData>,
  detail: Detail,
): THREE.BufferGeometry {
  switch (form) {
    case "box":
      return new THREE.BoxGeometry(1, 1, 1);
    case "sphere":
      return ball(detail.ball);
    case "cap":
      return cap(detail);
    case "cylinder":
      return upright(new THREE.CylinderGeometry(1, 1, 1, detail.sides, 1));
    case "tube":
      return upright(new THREE.CylinderGeometry(1, 1, 1, detail.sides, 1, true));
    case "plane":
      return new THREE.PlaneGeometry(1, 1);
  }
  if (form.startsWith("capsule:")) {
    const [radius, length] = form.split(":").slice(1).map(Number) as [number, number];
    return upright(new THREE.CapsuleGeometry(radius, length, 8, detail.sides));
  }
  return bundleGeometry(bundles.get(form)!, meshes);
}
