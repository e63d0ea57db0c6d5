/** What a person has chosen; kept in the browser between visits. */

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";

export type ThemeChoice = "system" | "light" | "dark";
export type Theme = "light" | "dark";
export type WindowName = "debug" | "commander" | "triggers" | "system";

/** What the 3-D view draws of the bodies, and besides them. */
export interface ViewFlags {
  readonly visuals: boolean;
  readonly collisions: boolean;
  readonly frames: boolean;
  readonly contacts: boolean;
  readonly trails: boolean;
  readonly zones: boolean;
  readonly motors: boolean;
}

export interface Settings {
  readonly theme: ThemeChoice;
  readonly flags: ViewFlags;
  /** Width of the right column [px]. */
  readonly sideWidth: number;
  readonly isSideOpen: boolean;
  /** Height of the lower dock [px]. */
  readonly dockHeight: number;
  readonly isDockOpen: boolean;
  readonly sideTab: string;
  readonly dockTab: WindowName;
  /** Chosen curves by scene name. */
  readonly plots: Readonly<Record<string, readonly string[]>>;
  /** Length of the plotted past [s]. */
  readonly plotSpan: number;
  /** Whether images of cameras stand in the 3-D view, too. */
  readonly areScreensOn: boolean;
  /** Lines typed into the Commander, oldest first. */
  readonly history: readonly string[];
}

const KEY = "gelenk.settings.1";

export const DEFAULTS: Settings = {
  theme: "system",
  flags: {
    visuals: true,
    collisions: false,
    frames: false,
    contacts: false,
    trails: false,
    zones: true,
    motors: true,
  },
  sideWidth: 340,
  isSideOpen: true,
  dockHeight: 210,
  isDockOpen: true,
  sideTab: "control",
  dockTab: "debug",
  plots: {},
  plotSpan: 20,
  areScreensOn: true,
  history: [],
};

/** Keeps only what has the type of the default, so that an old store does no harm. */
function merge<T extends object>(defaults: T, stored: unknown): T {
  if (typeof stored !== "object" || stored === null) return defaults;
  const result = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(stored)) {
    const fallback = result[name];
    const isSame =
      typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback);
    if (name in result && isSame && value !== null) result[name] = value;
  }
  return result as T;
}

function load(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Settings> | null;
    const merged = merge(DEFAULTS, stored);
    return { ...merged, flags: merge(DEFAULTS.flags, stored?.flags) };
  } catch {
    return DEFAULTS;
  }
}

export const settings: Signal<Settings> = signal(load());

export function change(patch: Partial<Settings>): void {
  settings.value = { ...settings.value, ...patch };
}

export function setFlag(name: keyof ViewFlags, isOn: boolean): void {
  change({ flags: { ...settings.value.flags, [name]: isOn } });
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(systemDark.matches);
systemDark.addEventListener("change", (event) => (isSystemDark.value = event.matches));

/** The theme that is shown. */
export const theme: ReadonlySignal<Theme> = computed(() => {
  const choice = settings.value.theme;
  return choice === "system" ? (isSystemDark.value ? "dark" : "light") : choice;
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

let saving = 0;
effect(() => {
  const text = JSON.stringify(settings.value);
  clearTimeout(saving);
  saving = window.setTimeout(() => {
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // A browser that keeps nothing is no reason to stop.
    }
  }, 200);
});
