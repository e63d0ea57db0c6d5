/** Files made in the page: pictures, animations, curves. */

import { signal, type Signal } from "@preact/signals";
import { net } from "./net";
import { view } from "./stage";
import { store } from "./store";

const LONGEST = 30; // s, of an animation
const FRAME_RATE = 30;
const BIT_RATE = 6_000_000;
const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** Seconds of the animation that is being taken; null: none. */
export const animationTime: Signal<number | null> = signal(null);
/** A file on the server. */
export interface Offer {
  readonly name: string;
  readonly url: string;
  /** [bytes] */
  readonly size: number;
}

/** Files of the last recording. */
export const offers: Signal<readonly Offer[]> = signal([]);

/** Hands a file to the person. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function fileName(ending: string): string {
  const scene = (store.scene.value?.name ?? "scene").replace(/[^a-z0-9]+/gi, "-");
  const time = store.frames.latest()?.time ?? 0;
  return `${scene}-${time.toFixed(2)}s.${ending}`;
}

export async function savePicture(): Promise<void> {
  if (!view.value) return;
  try {
    save(await view.value.screenshot(), fileName("png"));
  } catch (reason) {
    store.notify(`No picture could be taken: ${String(reason)}`, "error");
  }
}

/** All received curves as a table; the first column is the time. */
export function saveCurves(): void {
  const signals = store.scene.value?.signals ?? [];
  const { times, columns } = store.samples;
  if (times.length === 0) {
    store.notify("There are no curves yet.", "error");
    return;
  }
  const quote = (text: string) =>
    /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [["time [s]", ...signals.map(quote)].join(",")];
  times.forEach((time, index) => {
    lines.push([time, ...columns.map((column) => column[index] ?? "")].join(","));
  });
  save(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), fileName("csv"));
}

let recorder: MediaRecorder | null = null;

/** Begins to take an animation of the picture, or ends it and hands it over. */
export function toggleAnimation(): void {
  if (recorder) {
    recorder.stop();
    return;
  }
  const canvas = view.value?.canvas;
  const format = FORMATS.find((name) => window.MediaRecorder?.isTypeSupported(name));
  if (!canvas || !format) {
    store.notify("This browser cannot record animations.", "error");
    return;
  }
  const chunks: Blob[] = [];
  const stream = canvas.captureStream(FRAME_RATE);
  const taker = new MediaRecorder(stream, { mimeType: format, videoBitsPerSecond: BIT_RATE });
  const begin = performance.now();
  const timer = window.setInterval(() => {
    const seconds = (performance.now() - begin) / 1000;
    animationTime.value = seconds;
    if (seconds >= LONGEST) taker.stop();
  }, 200);
  taker.ondataavailable = (event) => chunks.push(event.data);
  taker.onstop = () => {
    window.clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
    recorder = null;
    animationTime.value = null;
    save(new Blob(chunks, { type: format }), fileName(format.includes("mp4") ? "mp4" : "webm"));
  };
  recorder = taker;
  animationTime.value = 0;
  taker.start(1000);
}

function isOffer(value: unknown): value is Offer {
  const offer = value as Partial<Offer> | null;
  return typeof offer?.url === "string" && typeof offer.name === "string";
}

/** The files named in a reply. */
function offersIn(value: unknown): readonly Offer[] {
  const files = (value as { readonly files?: unknown } | null)?.files;
  return Array.isArray(files) ? files.filter(isOffer) : [];
}

/** Begins to record the run on the server, or ends it and hands its files over. */
export async function toggleRecording(): Promise<void> {
  const isOn = !store.status.value.is_recording;
  const reply = await net.ask("set_recording", { is_on: isOn });
  if (!reply.ok) return;
  offers.value = isOn ? [] : offersIn(reply.value);
  if (isOn) return;
  const words = offers.value.map((offer) => `${offer.name} (${sizeText(offer.size)})`);
  store.notify(
    words.length
      ? `The recording can be fetched in the download menu: ${words.join(", ")}.`
      : "Nothing was recorded.",
  );
}

export function sizeText(bytes: number): string {
  if (bytes < 1e5) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
