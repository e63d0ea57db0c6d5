/** The canvas: draws on demand, fits its size, keeps fluent, survives a lost context. */

import * as THREE from "three";
import { Governor } from "./governor";
import { TRAITS, type Quality } from "./quality";

const MAX_RATIO = 2; // pixels per CSS pixel; more cannot be seen and costs
const IDLE = 350; // ms without a drawing after which the picture gets sharp again

export interface CanvasHost {
  /** Brings the scene to a time [ms]; returns whether it goes on moving by itself. */
  prepare(now: number): boolean;
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
  resized(width: number, height: number): void;
  /** Whether things throw shadows, where the quality has such. */
  setShadows(areOn: boolean): void;
  /** Whether the picture stands still and may cost more. */
  setFine(isFine: boolean): void;
  /** The graphics were lost (a message), or are back (null). */
  lost(message: string | null): void;
}

export class Canvas {
  readonly renderer: THREE.WebGLRenderer;
  readonly element: HTMLCanvasElement;
  /** Pictures drawn so far. */
  drawn = 0;
  width = 1;
  height = 1;
  private readonly governor: Governor;
  private readonly times: number[] = [];
  private readonly observer: ResizeObserver;
  private ratioQuery: MediaQueryList | null = null;
  private handle = 0;
  private idle = 0;
  private lastStart = 0;
  private isRunning = false;
  private isSharp = true;
  private areShadowsOld = true;
  private sinceShadows = 0;
  private isLost = false;
  private isFixed = false;

  constructor(
    parent: HTMLElement,
    readonly quality: Quality,
    private readonly host: CanvasHost,
  ) {
    const traits = TRAITS[quality];
    this.governor = new Governor(quality);
    this.element = document.createElement("canvas");
    const attributes = { antialias: traits.hasSmoothEdges, powerPreference: "high-performance" } as const;
    // The renderer itself would ask for a see-through canvas, which the page has to blend.
    const context = this.element.getContext("webgl2", { ...attributes, alpha: false, stencil: false });
    if (!context) throw new Error("The browser gives no WebGL 2.");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.element, context, ...attributes });
    this.renderer.shadowMap.enabled = traits.shadowMap > 0;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.element.addEventListener("webglcontextlost", this.onLost);
    this.element.addEventListener("webglcontextrestored", this.onRestored);
    parent.append(this.element);
    this.observer = new ResizeObserver(() => this.fit(parent));
    this.observer.observe(parent);
    this.fit(parent);
    this.watchRatio(parent);
  }

  /** Keeps the pixel ratio, for tests that compare pictures. */
  fixRatio(): void {
    this.isFixed = true;
  }

  /** Asks for a new picture. */
  request(): void {
    if (this.handle || this.isLost) return;
    this.handle = requestAnimationFrame((now) => this.frame(now));
  }

  /** Something that throws a shadow has moved. */
  shadowsChanged(): void {
    this.areShadowsOld = true;
  }

  get fps(): number {
    const now = performance.now();
    while (this.times.length > 0 && now - this.times[0]! > 1000) this.times.shift();
    return this.times.length;
  }

  get ratio(): number {
    return this.renderer.getPixelRatio();
  }

  /** Draws at once, as sharp as can be. */
  drawNow(): void {
    // Without smooth edges four pixels make one: a still picture may cost more.
    this.setShare(this.isFixed ? 1 : TRAITS[this.quality].still);
    this.isSharp = true;
    this.host.setFine(true);
    this.host.prepare(performance.now());
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  dispose(): void {
    cancelAnimationFrame(this.handle);
    clearTimeout(this.idle);
    this.isLost = true;
    this.observer.disconnect();
    this.ratioQuery?.removeEventListener("change", this.onRatio);
    this.element.removeEventListener("webglcontextlost", this.onLost);
    this.element.removeEventListener("webglcontextrestored", this.onRestored);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.element.remove();
  }

  private frame(now: number): void {
    this.handle = 0;
    // Only a picture right behind another one tells how long drawing takes.
    if (this.isRunning && !this.isFixed) this.governor.note(now - this.lastStart);
    this.lastStart = now;
    this.host.setFine(false);
    const goesOn = this.host.prepare(now);
    const { share, shadowPeriod } = this.governor.level;
    this.setShare(share);
    this.host.setShadows(shadowPeriod > 0);
    const { still, detail } = TRAITS[this.quality];
    this.isSharp = share === still && detail !== null;
    this.sinceShadows += 1;
    if (this.areShadowsOld && this.sinceShadows >= shadowPeriod) {
      this.renderer.shadowMap.needsUpdate = true;
      this.areShadowsOld = false;
      this.sinceShadows = 0;
    }
    this.draw();
    this.isRunning = goesOn;
    if (goesOn) this.request();
    clearTimeout(this.idle);
    if (!this.isSharp || this.areShadowsOld) this.idle = window.setTimeout(this.sharpen, IDLE);
  }

  private readonly sharpen = () => {
    // A picture that is asked for is late, not the last one.
    if (this.isLost || this.handle || (this.isSharp && !this.areShadowsOld)) return;
    this.areShadowsOld = false;
    this.drawNow();
  };

  private draw(): void {
    this.renderer.render(this.host.scene, this.host.camera);
    this.drawn += 1;
    this.times.push(performance.now());
    if (this.times.length > 240) this.times.shift();
  }

  private setShare(share: number): void {
    const ratio = share * Math.min(window.devicePixelRatio || 1, MAX_RATIO);
    if (Math.abs(ratio - this.renderer.getPixelRatio()) < 1e-3) return;
    this.renderer.setPixelRatio(ratio);
  }

  private fit(parent: HTMLElement): void {
    const width = Math.max(1, Math.floor(parent.clientWidth));
    const height = Math.max(1, Math.floor(parent.clientHeight));
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    this.setShare(this.governor.level.share);
    this.renderer.setSize(width, height);
    this.host.resized(width, height);
    // Setting the size clears the picture: draw before the browser shows it.
    if (this.drawn > 0 && !this.isLost) {
      this.host.prepare(performance.now());
      this.draw();
    }
    this.request();
  }

  /** Follows the page to a screen of another resolution. */
  private watchRatio(parent: HTMLElement): void {
    this.ratioQuery?.removeEventListener("change", this.onRatio);
    this.ratioQuery = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    this.onRatio = () => {
      this.watchRatio(parent);
      this.request();
    };
    this.ratioQuery.addEventListener("change", this.onRatio);
  }

  private onRatio = () => {};

  private readonly onLost = (event: Event) => {
    event.preventDefault();
    this.isLost = true;
    cancelAnimationFrame(this.handle);
    this.handle = 0;
    this.host.lost("The graphics were interrupted; waiting for them to come back.");
  };

  private readonly onRestored = () => {
    this.isLost = false;
    this.areShadowsOld = true;
    this.host.lost(null);
    this.request();
  };
}
