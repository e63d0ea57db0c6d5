/** ArmBot's special views. */

import type { Tool } from "../tools";

export const tools: readonly Tool[] = [
  { name: "armbot-editor", title: "Editor", isWide: true, load: () => import("./editor") },
  { name: "ik-race", title: "IK race", isWide: true, load: () => import("./race") },
  { name: "assembly", title: "Assembly", isWide: true, load: () => import("./assembly") },
];
