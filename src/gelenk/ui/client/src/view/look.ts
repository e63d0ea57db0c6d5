/** Materials and colours: how light falls on things, in dark and in light. */

import * as THREE from "three";
import type { Finish } from "./pieces";
import { makeDull } from "./plain";
import { TRAITS, type Quality } from "./quality";

/** Colours of the picture; they follow the page's theme. */
export interface Look {
  readonly isDark: boolean;
  readonly tile: THREE.Color;
  readonly darkTile: THREE.Color;
  readonly edge: THREE.Color;
  readonly ink: THREE.Color;
  readonly skyHigh: THREE.Color;
  readonly skyLow: THREE.Color;
  /** Upper and lower end of the background, as CSS colours. */
  readonly background: readonly [string, string];
}

/** Reads the colours that `view.css` gives an element. */
export function readLook(element: HTMLElement): Look {
  const style = getComputedStyle(element);
  const text = (name: string, fallback: string) =>
    style.getPropertyValue(name).trim() || fallback;
  const color = (name: string, fallback: string) => new THREE.Color(text(name, fallback));
  return {
    isDark: document.documentElement.dataset.theme === "dark",
    tile: color("--view-tile", "#e9ebef"),
    darkTile: color("--view-tile-dark", "#dde0e6"),
    edge: color("--view-edge", "#9aa1ad"),
    ink: color("--view-ink", "#1f2530"),
    skyHigh: color("--view-sky-high", "#f4f8ff"),
    skyLow: color("--view-sky-low", "#b9b4ab"),
    background: [text("--view-top", "#d5dde8"), text("--view-bottom", "#f3f5f8")],
  };
}

const ROUGHNESS: Record<Finish, number> = { paint: 0.42, metal: 0.38, plastic: 0.5, matte: 0.78 };
const METALNESS: Record<Finish, number> = { paint: 0.0, metal: 0.55, plastic: 0.0, matte: 0.0 };
/** Share of the sky that is mirrored. */
const MIRROR: Record<Finish, number> = { paint: 0.3, metal: 0.9, plastic: 0.22, matte: 0.06 };

/** Values that all materials share; changed in place with the theme. */
export interface SkyUniforms {
  readonly skyHigh: { value: THREE.Color };
  readonly skyLow: { value: THREE.Color };
}

export function makeSky(): SkyUniforms {
  return { skyHigh: { value: new THREE.Color() }, skyLow: { value: new THREE.Color() } };
}

/** Lets pieces glow, each in its own colour. */
function addGlow(shader: THREE.WebGLProgramParametersWithUniforms): void {
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nattribute vec3 glow;\nvarying vec3 vGlow;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGlow = glow;");
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", "#include <common>\nvarying vec3 vGlow;")
    .replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      // Mostly a colour, partly light of its own: the form stays visible.
      diffuseColor.rgb = mix(diffuseColor.rgb, vGlow, max(vGlow.r, max(vGlow.g, vGlow.b)));`,
    )
    .replace(
      "#include <emissivemap_fragment>",
      "#include <emissivemap_fragment>\ntotalEmissiveRadiance += 0.4 * vGlow;",
    );
}

/** Mirrors a plain sky over a plain ground: the shine of metal without any image. */
function addSky(
  shader: THREE.WebGLProgramParametersWithUniforms,
  sky: SkyUniforms,
  share: number,
): void {
  shader.uniforms.skyHigh = sky.skyHigh;
  shader.uniforms.skyLow = sky.skyLow;
  shader.uniforms.skyShare = { value: share };
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <common>",
      "#include <common>\nuniform vec3 skyHigh, skyLow;\nuniform float skyShare;",
    )
    .replace(
      "#include <lights_fragment_end>",
      `#include <lights_fragment_end>
      {
        vec3 mirrored = inverseTransformDirection(reflect(-geometryViewDir, normal), viewMatrix);
        float blur = 0.15 + roughnessFactor;
        vec3 seen = mix(skyLow, skyHigh, smoothstep(-blur, blur, mirrored.z));
        float graze = pow(1.0 - saturate(dot(normal, geometryViewDir)), 4.0);
        vec3 front = mix(vec3(0.04), diffuseColor.rgb, metalnessFactor);
        vec3 share = front + (1.0 - roughnessFactor) * (vec3(1.0) - front) * graze;
        reflectedLight.indirectSpecular += skyShare * share * seen;
      }`,
    );
}

/** What a mesh has that other pieces have not: colours of its corners, and this. */
export interface MeshLook {
  /** Its inner side can be seen. */
  readonly isOpen: boolean;
  readonly map: THREE.Texture | null;
}

/** Returns the material of pieces of a finish. */
export function makeMaterial(
  finish: Finish,
  isSolid: boolean,
  quality: Quality,
  sky: SkyUniforms,
  mesh?: MeshLook,
): THREE.Material {
  const isMerged = isSolid && TRAITS[quality].detail === null;
  const map = mesh?.map ?? null;
  const common: THREE.MeshLambertMaterialParameters = isSolid
    ? { vertexColors: isMerged, side: mesh?.isOpen ? THREE.DoubleSide : THREE.FrontSide }
    : { transparent: true, opacity: 1, depthWrite: false, side: THREE.DoubleSide };
  if (mesh) Object.assign(common, { vertexColors: true, map });
  if (!isSolid) Object.assign(common, FILM);
  if (!TRAITS[quality].isShiny) {
    if (isMerged) return makeDull(1, mesh);
    const plain = new THREE.MeshLambertMaterial(common);
    plain.onBeforeCompile = addGlow;
    plain.customProgramCacheKey = () => "gelenk-low";
    return plain;
  }
  const material = new THREE.MeshStandardMaterial({
    ...common,
    roughness: ROUGHNESS[finish],
    metalness: METALNESS[finish],
  });
  material.onBeforeCompile = (shader) => {
    addGlow(shader);
    addSky(shader, sky, MIRROR[finish]);
  };
  material.customProgramCacheKey = () => "gelenk-high";
  return material;
}

/** Lets what is translucent win over what it lies on. */
const FILM = { polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 };
