/** What the page asks of the 3-D view. */

import type { Orbit } from "./orbit";
import type { Overlay } from "./overlay";
import type { Quality } from "./quality";

export type ViewName = "home" | "top" | "front" | "side";

/** A pose a person can drag. */
export interface Target {
  /** x, y, z [m], qw, qx, qy, qz in the world. */
  readonly pose: readonly number[];
  onDrag(pose: readonly number[], isFinal: boolean): void;
}

/** A place on a level plane that a person is to click at. */
export interface GroundWish {
  /** Of the plane [m]. */
  readonly height: number;
  /** x, y [m]. */
  onPick(x: number, y: number): void;
  onCancel(): void;
}

export interface ViewInfo {
  /** Frames drawn so far. */
  readonly frames: number;
  /** Bodies in the picture. */
  readonly bodies: number;
  /** Drawn frames per second, of the last second. */
  readonly fps: number;
  readonly camera: Orbit;
  readonly quality: Quality | "none";
  /** Drawn pixels per CSS pixel. */
  readonly ratio: number;
  /** Draw calls and triangles of the last picture; geometries and textures held. */
  readonly calls: number;
  readonly triangles: number;
  readonly geometries: number;
  readonly textures: number;
  /** Meshes of the scene are on their way. */
  readonly isFetching: boolean;
  /** Name of the body whose card is open, of the one that is followed, or null. */
  readonly selected: string | null;
  readonly followed: string | null;
  /** Where a body is in the picture [px], from the upper left corner; null: nowhere. */
  place(body: string): readonly [number, number] | null;
  /** Where a point of the world is in the picture [px]. */
  project(point: readonly number[]): readonly [number, number] | null;
  /** Where the pose to drag is in the picture [px]; null: there is none. */
  readonly target: readonly [number, number] | null;
}

export interface View {
  dispose(): void;
  /** Turns the camera to a preset view. */
  setView(name: ViewName): void;
  /** Lets the camera follow a body; null: no longer. */
  focusOn(body: string | null): void;
  /** Opens the card of a body; null: closes it. */
  select(body: string | null): void;
  /** Draws what a robot wants to show, such as a predicted flight; [] ends it. */
  setOverlays(giver: string, items: readonly Overlay[]): void;
  /** Shows the image of a camera where it looks at; null ends it. */
  setScreen(camera: string, image: ImageBitmap | null): void;
  /** Lets the next click choose a place; null ends that. */
  pickGround(wish: GroundWish | null): void;
  /** The picture as PNG. */
  screenshot(): Promise<Blob>;
  testInfo(): ViewInfo;
  /** The pose to drag, or null for none. */
  target: Target | null;
  /** What is drawn on; for animations. */
  readonly canvas: HTMLCanvasElement;
}
