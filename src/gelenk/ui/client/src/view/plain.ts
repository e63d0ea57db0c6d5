/**
 * Materials whose light is reckoned at the corners, not at every pixel.
 *
 * Without a graphics card a pixel is dear: here it only gets a colour handed through.
 */

import * as THREE from "three";

/** As screens want it, from linear light: sRGB but for the darkest, of roots, which are cheap. */
const TO_SCREEN = `
  vec3 toScreen(vec3 light) {
    vec3 second = sqrt(light);
    vec3 fourth = sqrt(second);
    return 0.585122381 * second + 0.783140355 * fourth - 0.368262736 * sqrt(fourth);
  }`;

const HAND_THROUGH = `
  varying vec3 shade;
  void main() {
    gl_FragColor = vec4(shade, OPACITY);
  }`;

/** Between the colour in the sun and the one in its shadow, by one look at the shadows. */
const IN_SUN = `
  varying vec3 shade;
  #ifdef IS_OPEN
    varying vec3 shadeBehind;
  #endif
  #ifdef HAS_MAP
    uniform sampler2D map;
    varying vec2 place2;
  #endif
  #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
    uniform sampler2DShadow directionalShadowMap[NUM_DIR_LIGHT_SHADOWS];
    varying vec3 dark, lamp;
  #endif
  void main() {
    gl_FragColor = vec4(shade, OPACITY);
    #ifdef IS_OPEN
      if (!gl_FrontFacing) gl_FragColor.rgb = shadeBehind;
    #endif
    #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
      vec3 near = abs(lamp - 0.5);
      if (max(near.x, max(near.y, near.z)) < 0.5)
        gl_FragColor.rgb = mix(dark, gl_FragColor.rgb, texture(directionalShadowMap[0], lamp));
    #endif
    #ifdef HAS_MAP
      // The screen's colours are roots of light: their product is that of the light.
      vec3 paint = texture2D(map, place2).rgb;
      gl_FragColor.rgb *= pow(paint, vec3(1.0 / 2.2));
    #endif
  }`;

/** What meshes may have besides the colours of their corners. */
export interface DullMesh {
  /** The inner side can be seen. */
  readonly isOpen: boolean;
  readonly map: THREE.Texture | null;
}

/** Dull areas with colours and glow of their corners, in the light of the scene. */
export function makeDull(
  opacity = 1,
  mesh?: DullMesh,
): THREE.ShaderMaterial {
  const { isOpen, map } = mesh ?? { isOpen: false, map: null };
  const defines: Record<string, string> = { OPACITY: opacity.toFixed(3) };
  if (mesh) defines.HAS_SHINE = "";
  if (isOpen) defines.IS_OPEN = "";
  if (map) defines.HAS_MAP = "";
  const lights = THREE.UniformsUtils.clone(THREE.UniformsLib.lights) as Record<string, THREE.IUniform>;
  return new THREE.ShaderMaterial({
    defines,
    uniforms: { ...lights, map: { value: map } },
    lights: true,
    side: isOpen ? THREE.DoubleSide : THREE.FrontSide,
    vertexColors: true,
    toneMapped: false,
    vertexShader: `
      #include <common>
      #include <lights_pars_begin>
      #include <shadowmap_pars_vertex>
      attribute vec3 glow;
      varying vec3 shade;
      #ifdef IS_OPEN
        varying vec3 shadeBehind;
      #endif
      #ifdef HAS_MAP
        varying vec2 place2;
      #endif
      #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
        varying vec3 dark, lamp;
      #endif
      ${TO_SCREEN}
      vec3 skyLight(vec3 facing) {
        vec3 sky = ambientLightColor;
        #if NUM_HEMI_LIGHTS > 0
          for (int i = 0; i < NUM_HEMI_LIGHTS; i ++)
            sky += getHemisphereLightIrradiance(hemisphereLights[i], facing);
        #endif
        return sky;
      }
      vec3 sunLight(vec3 facing) {
        vec3 sun = vec3(0.0);
        #if NUM_DIR_LIGHTS > 0
          for (int i = 0; i < NUM_DIR_LIGHTS; i ++)
            sun += max(dot(facing, directionalLights[i].direction), 0.0) * directionalLights[i].color;
        #endif
        return sun;
      }
      void main() {
        #ifdef USE_INSTANCING
          mat4 model = modelMatrix * instanceMatrix;
          vec3 facing = normalize(normalMatrix * (mat3(instanceMatrix) * normal));
        #else
          mat4 model = modelMatrix;
          vec3 facing = normalize(normalMatrix * normal);
        #endif
        vec3 sky = skyLight(facing);
        vec3 sun = sunLight(facing);
        // Mostly a colour, partly light of its own: the form stays visible.
        vec3 own = RECIPROCAL_PI * mix(color, glow, max(glow.r, max(glow.g, glow.b)));
        vec4 place = model * vec4(position, 1.0);
        vec3 shine = vec3(0.0);
        #ifdef HAS_SHINE
          // Even black has a form: a little of the sun and of the sky is thrown back.
          vec3 toEye = normalize(-(viewMatrix * place).xyz);
          #if NUM_DIR_LIGHTS > 0
            vec3 middle = normalize(directionalLights[0].direction + toEye);
            shine += 0.05 * pow(max(dot(facing, middle), 0.0), 24.0) * directionalLights[0].color;
          #endif
          shine += 0.06 * pow(1.0 - max(dot(facing, toEye), 0.0), 3.0) * sky;
        #endif
        shade = toScreen(own * (sky + sun) + shine + 0.4 * glow);
        #ifdef IS_OPEN
          shadeBehind = toScreen(own * (skyLight(-facing) + sunLight(-facing)) + 0.4 * glow);
        #endif
        #ifdef HAS_MAP
          place2 = uv;
        #endif
        #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
          dark = toScreen(own * sky + 0.5 * shine + 0.4 * glow);
          vec4 lifted = place;
          lifted.xyz += directionalLightShadows[0].shadowNormalBias * (facing * mat3(viewMatrix));
          lamp = (directionalShadowMatrix[0] * lifted).xyz;
          lamp.z += directionalLightShadows[0].shadowBias;
        #endif
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: IN_SUN,
  });
}

/** Areas that have the colours of their corners, whatever the light. */
export function makeFlat(opacity = 1): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    defines: { OPACITY: opacity.toFixed(3) },
    vertexColors: true,
    toneMapped: false,
    vertexShader: `
      varying vec3 shade;
      ${TO_SCREEN}
      void main() {
        shade = toScreen(color);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: HAND_THROUGH,
  });
}
