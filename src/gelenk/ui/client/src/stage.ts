/** The 3-D view that stands, for those who ask something of it. */

import { signal, type Signal } from "@preact/signals";
import type { View } from "./view/types";

export const view: Signal<View | null> = signal(null);
