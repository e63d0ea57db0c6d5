/** Everything the page knows, in one place. */

import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ExhibitStore } from "./exhibit";
import { Feed, Samples, unpackValues } from "./feeds";
import type { Frame } from "./frame";
import { Frames } from "./frames";
import type { Image } from "./image";
import type {
  Event,
  FromServer,
  Hello,
  Line,
  Panel,
  Parameter,
  Scene,
  SceneCard,
  Status,
} from "./protocol";
import { VERSION } from "./protocol";
import { settings, theme, type Settings, type Theme, type WindowName } from "./settings";

export type { Frame } from "./frame";
export type { Settings, Theme, ViewFlags, WindowName } from "./settings";

/** "version": the server speaks another version, only loading the page again helps. */
export type Connection = "connecting" | "open" | "lost" | "version";

/** A short word to the person in front of the page. */
export interface Notice {
  readonly id: number;
  readonly level: "info" | "error";
  readonly text: string;
}

export const NO_STATUS: Status = {
  kind: "status",
  scene: 0,
  is_loading: false,
  loading: "",
  state: "idle",
  buttons: [],
  controllers: [],
  time: 0,
  tick: 0,
  first_tick: 0,
  is_held: false,
  pace: 1,
  speed: 0,
  is_recording: false,
  problem: "",
  is_finished: false,
  repeats: null,
  again_in: null,
};

const NO_PANEL: Panel = {
  title: "",
  robots: [],
  receivers: {},
  parameters: [],
  buttons: [],
  tools: [],
  source: "",
  source_name: "",
};

export class Store {
  readonly connection: Signal<Connection> = signal("connecting");
  readonly hello: Signal<Hello | null> = signal(null);
  readonly gallery: ReadonlySignal<readonly SceneCard[]> = computed(
    () => this.hello.value?.gallery ?? [],
  );
  readonly scene: Signal<Scene | null> = signal(null);
  /** Of the scene; may come anew while it runs. */
  readonly panel: Signal<Panel> = signal(NO_PANEL);
  readonly status: Signal<Status> = signal(NO_STATUS);
  /** Lines of the windows; read `.version` in a component to be drawn again. */
  readonly lines: Readonly<Record<WindowName, Feed<Line>>> = {
    debug: new Feed(50_000),
    commander: new Feed(50_000),
    triggers: new Feed(50_000),
    system: new Feed(50_000),
  };
  readonly events = new Feed<Event>(20_000);
  readonly samples = new Samples(5_000_000, 30_000);
  readonly frames = new Frames();
  /** What the robot shows of itself. */
  readonly exhibit = new ExhibitStore();
  readonly notices: Signal<readonly Notice[]> = signal([]);
  readonly settings: Signal<Settings> = settings;
  /** The theme that is shown, "light" or "dark". */
  readonly theme: ReadonlySignal<Theme> = theme;
  private fixed = "";
  private noticeCount = 0;

  /** Takes in a message. */
  accept(message: FromServer): void {
    switch (message.kind) {
      case "hello":
        this.hello.value = message;
        this.connection.value = message.version === VERSION ? "open" : "version";
        break;
      case "scene":
        this.acceptScene(message);
        break;
      case "status":
        this.status.value = message;
        this.frames.forgetFuture(message.tick);
        if (message.scene === 0 && !message.is_loading) this.forgetScene();
        break;
      case "lines":
        if (this.isCurrent(message.scene))
          this.lines[message.window].place(message.start, message.lines);
        break;
      case "events":
        if (this.isCurrent(message.scene)) this.events.place(message.start, message.events);
        break;
      case "parameter_changed":
        if (this.isCurrent(message.scene)) this.changeParameter(message.name, message.value);
        break;
      case "samples":
        if (this.isCurrent(message.scene))
          this.samples.append(message.times, unpackValues(message.values));
        break;
      case "actions":
      case "tables":
      case "overlays":
      case "picture_titles":
        if (this.isCurrent(message.scene)) this.exhibit.accept(message);
        break;
      case "reply":
        break;
    }
  }

  acceptFrame(frame: Frame): void {
    if (this.isCurrent(frame.scene)) this.frames.accept(frame);
  }

  acceptImage(image: Image): void {
    if (this.isCurrent(image.head.scene)) this.exhibit.acceptImage(image);
  }

  /** Shows a short word for some seconds. */
  notify(text: string, level: Notice["level"] = "info"): void {
    const notice = { id: ++this.noticeCount, level, text };
    const others = this.notices.value.filter((item) => item.text !== text);
    this.notices.value = [...others.slice(-3), notice];
    window.setTimeout(() => this.dismiss(notice.id), level === "error" ? 9000 : 4000);
  }

  dismiss(id: number): void {
    this.notices.value = this.notices.value.filter((item) => item.id !== id);
  }

  private isCurrent(number: number): boolean {
    return this.scene.value?.number === number;
  }

  private acceptScene(scene: Scene): void {
    const fixed = JSON.stringify({ ...scene, panel: null });
    if (JSON.stringify(scene.panel) !== JSON.stringify(this.panel.value))
      this.panel.value = scene.panel;
    // The same scene after a lost connection: nothing is built anew, nothing jumps.
    if (fixed === this.fixed && this.scene.value) return;
    this.clearFeeds();
    this.samples.reset(scene.signals.length);
    this.fixed = fixed;
    this.scene.value = scene;
  }

  private changeParameter(name: string, value: Parameter["value"]): void {
    const change = (item: Parameter) => (item.name === name ? { ...item, value } : item);
    this.panel.value = {
      ...this.panel.value,
      parameters: this.panel.value.parameters.map(change),
    };
  }

  private forgetScene(): void {
    if (!this.scene.value) return;
    this.fixed = "";
    this.scene.value = null;
    this.panel.value = NO_PANEL;
    this.clearFeeds();
  }

  private clearFeeds(): void {
    for (const feed of Object.values(this.lines)) feed.clear();
    this.events.clear();
    this.samples.reset(0);
    this.frames.clear();
    this.exhibit.clear();
  }
}

export const store = new Store();
