/** How much a picture may cost. */

/** "high": with a graphics card; "medium": without; "low": for slow machines and tests. */
export type Quality = "high" | "medium" | "low";

export interface Traits {
  readonly hasSmoothEdges: boolean;
  /** Texels of a side of the shadow map; 0: no shadows. */
  readonly shadowMap: number;
  /** Whether surfaces shine. */
  readonly isShiny: boolean;
  /** Corners around a cylinder. */
  readonly sides: number;
  /** Cuts of the edges of an icosahedron: balls, and round ends of rods. */
  readonly ball: number;
  readonly cap: number;
  /** Share of the pixels per side in a picture that stands still. */
  readonly still: number;
}

export const TRAITS: Readonly<Record<Quality, Traits>> = {
  high: { hasSmoothEdges: true, shadowMap: 2048, isShiny: true, sides: 36, ball: 7, cap: 4, still: 1 },
  medium: { hasSmoothEdges: false, shadowMap: 1024, isShiny: true, sides: 20, ball: 4, cap: 2, still: 2 },
  low: { hasSmoothEdges: false, shadowMap: 0, isShiny: false, sides: 18, ball: 2, cap: 1, still: 1 },
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
