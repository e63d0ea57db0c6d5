/** Special views of robots, named in `Panel.tools`, loaded when they are opened. */

import type { ComponentType } from "preact";
import { tools as armbot } from "./armbot";
import type { Net } from "./net";
import type { Store } from "./store";
import type { View } from "./view/types";

export interface ToolProps {
  readonly store: Store;
  readonly net: Net;
  /** The 3-D view, once it stands. */
  readonly view: View | null;
}

export interface Tool {
  /** As in `Panel.tools`. */
  readonly name: string;
  /** Label of its tab; short. */
  readonly title: string;
  /** Wants a wide column. */
  readonly isWide?: boolean;
  load(): Promise<{ readonly default: ComponentType<ToolProps> }>;
}

export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [...armbot].map((tool) => [tool.name, tool]),
);
