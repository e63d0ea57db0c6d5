/** Which page is looked at: the gallery or the open scene; kept in the address. */

import { effect, signal, type Signal } from "@preact/signals";
import { net } from "./net";
import { store } from "./store";

export type Page = "gallery" | "scene";

function fromAddress(): Page {
  return location.hash === "#gallery" ? "gallery" : "scene";
}

export const page: Signal<Page> = signal(fromAddress());
/** Name of the scene that is being opened by this page, or empty. */
export const opening: Signal<string> = signal("");

export function goTo(target: Page): void {
  page.value = target;
  if (fromAddress() !== target) location.hash = target === "gallery" ? "#gallery" : "";
}

window.addEventListener("hashchange", () => (page.value = fromAddress()));

/** Opens a scene of the gallery; everybody who looks on sees it then. */
export async function openScene(name: string): Promise<void> {
  if (opening.value) return;
  opening.value = name;
  const reply = await net.ask("open_scene", { name });
  opening.value = "";
  if (reply.ok) goTo("scene");
}

effect(() => {
  // The word for an empty page is in the gallery.
  document.title = store.scene.value ? `${store.scene.value.title} - Gelenk` : "Gelenk";
});
