/** ArmBot's special views. */

import type { Tool } from "../tools";

export const tools: readonly Tool[] = [];
