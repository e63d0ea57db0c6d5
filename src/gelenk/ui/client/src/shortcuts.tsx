/** Keys, and the sheet that explains them. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as actions from "./actions";
import { IconButton } from "./parts/controls";
import { goTo, page } from "./route";
import { backToLive, controlTicks, scrubBy } from "./scrub";
import { change } from "./settings";
import { store } from "./store";
import { view } from "./stage";

interface Shortcut {
  /** `event.key`. */
  readonly key: string;
  readonly label: string;
  readonly text: string;
  readonly isForScene: boolean;
  act(event: KeyboardEvent): void;
}

export const isHelpOpen = signal(false);

/** Ticks of an arrow key: one control tick, with Shift one second. */
export function arrowTicks(event: KeyboardEvent): number {
  const step = store.scene.value?.step ?? 0.001;
  return event.shiftKey ? Math.round(1 / step) : controlTicks();
}

function scene(
  key: string,
  label: string,
  text: string,
  act: (event: KeyboardEvent) => void,
): Shortcut {
  return { key, label, text, isForScene: true, act };
}

function focusOn(label: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.focus(),
  );
}

export const SHORTCUTS: readonly Shortcut[] = [
  scene("s", "S", "Start", () => actions.executeIfEnabled("start")),
  scene("p", "P", "Pause", () => actions.executeIfEnabled("pause")),
  scene("x", "X", "Stop", () => actions.executeIfEnabled("stop")),
  scene("R", "Shift R", "Reset", () => actions.executeIfEnabled("reset")),
  scene(" ", "Space", "Hold or continue time", actions.toggleHold),
  scene(".", ".", "Single step", actions.stepOnce),
  scene("ArrowLeft", "←", "Back one tick (Shift: 1 s)", (e) => scrubBy(-arrowTicks(e))),
  scene("ArrowRight", "→", "On one tick (Shift: 1 s)", (e) => scrubBy(arrowTicks(e))),
  scene("l", "L", "Back to live", backToLive),
  scene("1", "1", "Home view", () => view.value?.setView("home")),
  scene("2", "2", "View from above", () => view.value?.setView("top")),
  scene("3", "3", "View from the front", () => view.value?.setView("front")),
  scene("4", "4", "View from the side", () => view.value?.setView("side")),
  scene("c", "C", "Type a command", (event) => {
    event.preventDefault();
    change({ isDockOpen: true, dockTab: "commander" });
    focusOn("Command");
  }),
  scene("d", "D", "Show or hide the windows", actions.toggleDock),
  scene("b", "B", "Show or hide the side panel", actions.toggleSide),
  scene("g", "G", "Gallery", () => goTo("gallery")),
  {
    key: "t",
    label: "T",
    text: "Dark or light",
    isForScene: false,
    act: actions.toggleTheme,
  },
  {
    key: "?",
    label: "?",
    text: "This sheet",
    isForScene: false,
    act: () => (isHelpOpen.value = !isHelpOpen.value),
  },
];

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return Boolean(
    element?.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable=true]"),
  );
}

/** Starts to listen to keys. */
export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isButton = (event.target as HTMLElement | null)?.closest?.(
      "button, a, summary, input",
    );
    if (event.key === " " && isButton) return;
    const found = SHORTCUTS.find((item) => item.key === event.key);
    if (!found) return;
    if (found.isForScene && (page.value !== "scene" || !store.scene.value)) return;
    if (event.key === " " || event.key.startsWith("Arrow")) event.preventDefault();
    found.act(event);
  });
}

/** Explains keys and mouse. */
export function HelpSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label="Keyboard and mouse"
      onClose={() => (isHelpOpen.value = false)}
      onClick={(event) => {
        if (event.target === dialog.current) isHelpOpen.value = false;
      }}
    >
      <div class="sheet-body">
        <header>
          <h2>Keyboard and mouse</h2>
          <IconButton icon="close" name="Close" onClick={() => (isHelpOpen.value = false)} />
        </header>
        <dl class="keys">
          {SHORTCUTS.map((item) => (
            <div key={item.label}>
              <dt>
                <kbd>{item.label}</kbd>
              </dt>
              <dd>{item.text}</dd>
            </div>
          ))}
        </dl>
        <h3>In the picture</h3>
        <dl class="keys">
          {MOUSE.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}

const MOUSE: readonly (readonly [string, string])[] = [
  ["Left drag", "Turn about the focus"],
  ["Shift + left", "Move the focus"],
  ["Right drag, wheel", "Zoom; down is farther"],
  ["Double click", "Follow a body"],
];
