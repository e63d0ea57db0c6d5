/** What the shell of the page asks of the 3-D view. */

export type ViewName = "home" | "top" | "front" | "side";

/** A pose a person can drag. */
export interface Target {
  /** x, y, z [m], qw, qx, qy, qz in the world. */
  readonly pose: readonly number[];
  onDrag(pose: readonly number[], isFinal: boolean): void;
}

export interface ViewInfo {
  /** Frames drawn so far. */
  readonly frames: number;
  /** Bodies in the picture. */
  readonly bodies: number;
  /** Drawn frames per second, of the last second. */
  readonly fps: number;
}

export interface View {
  dispose(): void;
  /** Turns the camera to a preset view. */
  setView(name: ViewName): void;
  /** Lets the camera follow a body; null: no longer. */
  focusOn(body: string | null): void;
  /** The picture as PNG. */
  screenshot(): Promise<Blob>;
  testInfo(): ViewInfo;
  /** The pose to drag, or null for none. */
  target: Target | null;
  /** What is drawn on; for animations. */
  readonly canvas: HTMLCanvasElement;
}
