/** What the robot of the scene shows of itself, as it came. */

import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Image } from "./image";
import type {
  PanelAction,
  Actions,
  ImageHead,
  Overlays,
  PictureTitles,
  Tables,
  TableText,
} from "./protocol";

export type Overlay = Overlays["overlays"][number];

/** Name of texts that stand in a corner of the view, wherever they are in the world. */
export const CAPTION = "caption";
export type Mark = ImageHead["marks"][number];
export type Source = ImageHead["source"];

/** An image that can be drawn. */
export interface Shown {
  readonly head: ImageHead;
  /** Null where there is none; the caption says why. */
  readonly bitmap: ImageBitmap | null;
}

/** What this page looks at, by source. */
export type Watched = Readonly<Record<Source, readonly string[]>>;

const NOTHING: Watched = { camera: [], picture: [] };

export function imageKey(source: Source, name: string): string {
  return `${source}:${name}`;
}

export class ExhibitStore {
  readonly actions: Signal<readonly PanelAction[]> = signal([]);
  readonly tables: Signal<readonly TableText[]> = signal([]);
  readonly overlays: Signal<readonly Overlay[]> = signal([]);
  readonly titles: Signal<Readonly<Record<string, string>>> = signal({});
  /** Names of overlays that a person has switched off. */
  readonly hidden: Signal<ReadonlySet<string>> = signal(new Set());
  readonly overlayNames: ReadonlySignal<readonly string[]> = computed(() => [
    ...new Set(this.overlays.value.map(({ name }) => name).filter((name) => name !== CAPTION)),
  ]);
  readonly watched: Signal<Watched> = signal(NOTHING);
  private readonly images = new Map<string, Signal<Shown | null>>();
  private readonly newest = new Map<string, Image>();
  private scene = 0;

  accept(message: Actions | Tables | Overlays | PictureTitles): void {
    switch (message.kind) {
      case "actions":
        this.actions.value = message.actions;
        break;
      case "tables":
        this.tables.value = message.tables;
        break;
      case "overlays":
        this.overlays.value = message.overlays;
        break;
      case "picture_titles":
        this.titles.value = message.titles;
        break;
    }
  }

  /** The latest image of a name; null until one comes. */
  image(source: Source, name: string): Signal<Shown | null> {
    const key = imageKey(source, name);
    let found = this.images.get(key);
    if (!found) this.images.set(key, (found = signal(null)));
    return found;
  }

  /** Takes in an image; one that comes while the last is decoded replaces the waiting. */
  acceptImage(image: Image): void {
    const key = imageKey(image.head.source, image.head.name);
    const isBusy = this.newest.has(key);
    this.newest.set(key, image);
    if (!isBusy) void this.decode(key);
  }

  watch(source: Source, names: readonly string[]): void {
    if (this.watched.value[source].join("\n") === names.join("\n")) return;
    this.watched.value = { ...this.watched.value, [source]: names };
  }

  setHidden(name: string, isHidden: boolean): void {
    const hidden = new Set(this.hidden.value);
    if (isHidden) hidden.add(name);
    else hidden.delete(name);
    this.hidden.value = hidden;
  }

  /** Another scene, or none. */
  clear(): void {
    this.scene += 1;
    this.actions.value = [];
    this.tables.value = [];
    this.overlays.value = [];
    this.titles.value = {};
    this.hidden.value = new Set();
    this.newest.clear();
    for (const shown of this.images.values()) shown.value = null;
    this.images.clear();
  }

  private async decode(key: string): Promise<void> {
    const { scene } = this;
    for (let image = this.newest.get(key); image; image = this.newest.get(key)) {
      const { head, data } = image;
      const bitmap = data.size > 0 ? await createImageBitmap(data).catch(() => null) : null;
      if (scene !== this.scene) return;
      this.image(head.source, head.name).value = { head, bitmap };
      if (this.newest.get(key) === image) this.newest.delete(key);
    }
  }
}
