/** The background: a calm gradient from top to bottom, only where nothing else is. */

import * as THREE from "three";
import type { Look } from "./look";

export class Backdrop {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

  /** `isPlain`: without what hides the steps of the gradient, which is cheap. */
  constructor(isPlain: boolean) {
    const geometry = new THREE.BufferGeometry();
    const corners = new Float32Array([-1, -1, 1, 3, -1, 1, -1, 3, 1]);
    geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    const material = new THREE.ShaderMaterial({
      uniforms: { top: { value: new THREE.Color() }, bottom: { value: new THREE.Color() } },
      vertexShader: `
        uniform vec3 top, bottom;
        varying vec3 shade;
        void main() {
          shade = mix(bottom, top, 0.5 + 0.5 * position.y);
          gl_Position = vec4(position.xy, 1.0, 1.0);
        }`,
      // Less than a step of brightness of noise hides the steps of the gradient.
      fragmentShader: `
        varying vec3 shade;
        void main() {
          gl_FragColor = vec4(shade, 1.0);
          #ifndef IS_PLAIN
            float noise = fract(52.983 * fract(dot(gl_FragCoord.xy, vec2(0.06711, 0.00584))));
            gl_FragColor.rgb += (noise - 0.5) / 255.0;
          #endif
        }`,
      defines: isPlain ? { IS_PLAIN: "" } : {},
      depthWrite: false,
      toneMapped: false,
    });
    material.depthFunc = THREE.LessEqualDepth;
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1000; // last of what is solid: only what is still free
  }

  paint(look: Look): void {
    const { uniforms } = this.mesh.material;
    // Written as the page means them, without conversion to linear light.
    (uniforms.top!.value as THREE.Color).setStyle(look.background[0], THREE.LinearSRGBColorSpace);
    (uniforms.bottom!.value as THREE.Color).setStyle(look.background[1], THREE.LinearSRGBColorSpace);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.removeFromParent();
  }
}
