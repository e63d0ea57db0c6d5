/** How the colours of exhibits look; bright enough for both themes and for photos. */

import type { PixelPoints } from "./protocol";

export type MarkColor = PixelPoints["color"];

export const PALETTE: Readonly<Record<MarkColor, string>> = {
  neutral: "#8b95a5",
  model: "#0090ff",
  measured: "#f76b15",
  target: "#d6409f",
  good: "#30a46c",
  warning: "#ffb224",
  bad: "#e5484d",
  one: "#0090ff",
  two: "#f76b15",
  three: "#30a46c",
  four: "#8e4ec6",
};
