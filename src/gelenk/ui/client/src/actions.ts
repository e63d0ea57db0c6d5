/** What buttons and keys do. */

import { net } from "./net";
import { change, settings, theme } from "./settings";
import { store } from "./store";

export type Action = "start" | "pause" | "stop" | "reset";

export function execute(action: Action, controller: number | null = null): void {
  void net.ask("execute", { action, controller });
}

/** Presses a button only if it would change something. */
export function executeIfEnabled(action: Action): void {
  if (store.status.value.buttons.includes(action)) execute(action);
}

export function toggleHold(): void {
  void net.ask("hold", { is_held: !store.status.value.is_held });
}

export function stepOnce(): void {
  void net.ask("step_once", { count: 1 });
}

export function setPace(pace: number | null): void {
  void net.ask("set_pace", { pace });
}

export function toggleTheme(): void {
  change({ theme: theme.value === "dark" ? "light" : "dark" });
}

export function toggleSide(): void {
  change({ isSideOpen: !settings.value.isSideOpen });
}

export function toggleDock(): void {
  change({ isDockOpen: !settings.value.isDockOpen });
}
