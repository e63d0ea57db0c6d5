/** Unit solids and meshes as the renderer wants them. */

import * as THREE from "three";
import { mergeVertices, toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { MeshForm } from "./pieces";
import { TRAITS, type Quality } from "./quality";

const CREASE = 0.6; // rad; flatter edges are drawn round

/** Turns a solid along y, as three.js makes them, to one along z. */
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function meshGeometry(mesh: MeshForm): THREE.BufferGeometry {
  const raw = new THREE.BufferGeometry();
  raw.setAttribute("position", new THREE.Float32BufferAttribute(mesh.vertices, 3));
  raw.setIndex([...mesh.triangles]);
  const creased = toCreasedNormals(raw, CREASE);
  const merged = mergeVertices(creased, 1e-6);
  raw.dispose();
  creased.dispose();
  return merged;
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

/** Returns the corners of a form; see `Batch.form`. */
export function makeGeometry(
  form: string,
  meshes: ReadonlyMap<string, MeshForm>,
  quality: Quality,
): THREE.BufferGeometry {
  const traits = TRAITS[quality];
  switch (form) {
    case "box":
      return new THREE.BoxGeometry(1, 1, 1);
    case "sphere":
      return ball(traits.ball);
    case "cap":
      return ball(traits.cap);
    case "cylinder":
      return upright(new THREE.CylinderGeometry(1, 1, 1, traits.sides, 1));
    case "tube":
      return upright(new THREE.CylinderGeometry(1, 1, 1, traits.sides, 1, true));
    case "plane":
      return new THREE.PlaneGeometry(1, 1);
  }
  if (form.startsWith("capsule:")) {
    const [radius, length] = form.split(":").slice(1).map(Number) as [number, number];
    return upright(new THREE.CapsuleGeometry(radius, length, 8, traits.sides));
  }
  return meshGeometry(meshes.get(form)!);
}
