/** How much a picture may cost. */

/** "high": with a graphics card; "medium": without; "low": for slow machines and tests. */
export type Quality = "high" | "medium" | "low";

/** How finely round things are made. */
export interface Detail {
  /** Corners around a cylinder. */
  readonly sides: number;
  /** Rings of the round end of a rod. */
  readonly rings: number;
  /** Cuts of the edges of an icosahedron: balls. */
  readonly ball: number;
}

/**
 * For those who draw without a graphics card, where every triangle counts: the first of
 * these whose `radius` [px] a thing in the picture does not exceed.
 */
export const DETAILS: readonly (Detail & { readonly radius: number })[] = [
  { radius: 6, sides: 8, rings: 2, ball: 1 },
  { radius: 18, sides: 12, rings: 3, ball: 2 },
  { radius: 60, sides: 20, rings: 4, ball: 4 },
  { radius: Infinity, sides: 36, rings: 7, ball: 7 },
];

export interface Traits {
  readonly hasSmoothEdges: boolean;
  /** Texels of a side of the shadow map; 0: no shadows. */
  readonly shadowMap: number;
  /** Whether surfaces shine. */
  readonly isShiny: boolean;
  /** Of everything; null: by its size in the picture, in as few meshes as can be. */
  readonly detail: Detail | null;
  /** Share of the pixels per side in a picture that stands still. */
  readonly still: number;
}

const FINE: Detail = { sides: 36, rings: 7, ball: 7 };

export const TRAITS: Readonly<Record<Quality, Traits>> = {
  high: { hasSmoothEdges: true, shadowMap: 2048, isShiny: true, detail: FINE, still: 1 },
  medium: { hasSmoothEdges: false, shadowMap: 1024, isShiny: false, detail: null, still: 2 },
  low: { hasSmoothEdges: false, shadowMap: 0, isShiny: false, detail: null, still: 1 },
};

/** Names of renderers that use no graphics card. */
export function isSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}

/** The quality that the address of the page asks for, or what the machine can do. */
export function chooseQuality(search: string, renderer: () => string): Quality {
  const wanted = new URLSearchParams(search).get("quality");
  if (wanted === "high" || wanted === "medium" || wanted === "low") return wanted;
  return isSoftware(renderer()) ? "medium" : "high";
}

/** Asks the browser who draws. */
export function readRenderer(): string {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return "";
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER) as unknown;
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name);
}
