/** The connection to the server; comes back by itself. */

import { unpackFrame } from "./frame";
import { unpackImage } from "./image";
import type { FromPage, FromServer, Reply } from "./protocol";
import { store, type Frame, type Store } from "./store";

type Kind = FromPage["kind"];
type Message<K extends Kind> = Extract<FromPage, { kind: K }>;
export type Fields<K extends Kind> = Omit<Message<K>, "kind" | "id">;

const FIRST_PAUSE = 250; // ms before the first new try
const LONGEST_PAUSE = 3000;

const LOST = "The connection to the server is lost.";

function refusal(id: number, message: string): Reply {
  return { kind: "reply", id, ok: false, message, field: "", value: null };
}

export class Net {
  private socket: WebSocket | null = null;
  private count = 0;
  private pause = FIRST_PAUSE;
  private readonly replies = new Map<number, (reply: Reply) => void>();
  private asked: { id: number; done: (frame: Frame | Reply) => void } | null = null;
  private readonly greeters = new Set<() => void>();

  constructor(private readonly store: Store) {}

  /** Begins to connect, and goes on with it for as long as the page lives. */
  start(): void {
    const url = new URL("ws", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    url.search = "";
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onmessage = (event) => this.take(event.data as string | ArrayBuffer);
    socket.onclose = () => this.lose(socket);
  }

  /** Calls back whenever a connection stands; returns how to end that. */
  onOpen(callback: () => void): () => void {
    this.greeters.add(callback);
    return () => this.greeters.delete(callback);
  }

  /** Sends a request; the reply says whether it was carried out. Never rejects. */
  request<K extends Kind>(kind: K, fields: Fields<K>): Promise<Reply> {
    const id = ++this.count;
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(refusal(id, LOST));
    return new Promise((resolve) => {
      this.replies.set(id, resolve);
      this.socket!.send(JSON.stringify({ kind, id, ...fields }));
    });
  }

  /** As `request`, and shows the reason where it is refused. */
  async ask<K extends Kind>(kind: K, fields: Fields<K>): Promise<Reply> {
    const reply = await this.request(kind, fields);
    if (!reply.ok) this.store.notify(reply.message || "The request was refused.", "error");
    return reply;
  }

  /**
   * Asks for the moment at or just before a tick: a frame, or the refusal.
   * One at a time: frames do not say which request they answer.
   */
  getFrame(tick: number): Promise<Frame | Reply> {
    const id = ++this.count;
    if (this.asked) return Promise.resolve(refusal(id, "Another moment is being fetched."));
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(refusal(id, LOST));
    return new Promise((done) => {
      this.asked = { id, done };
      this.socket!.send(JSON.stringify({ kind: "get_frame", id, tick }));
    });
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const frame = unpackFrame(data);
      if (!frame) {
        const image = unpackImage(data);
        if (image) this.store.acceptImage(image);
        return;
      }
      if (frame.isAsked && this.asked) {
        const { done } = this.asked;
        this.asked = null;
        done(frame);
      }
      this.store.acceptFrame(frame);
      return;
    }
    const message = JSON.parse(data) as FromServer;
    if (message.kind === "reply") this.answer(message);
    this.store.accept(message);
    if (message.kind === "hello") {
      this.pause = FIRST_PAUSE;
      for (const greeter of this.greeters) greeter();
    }
  }

  private answer(reply: Reply): void {
    if (this.asked?.id === reply.id) {
      const { done } = this.asked;
      this.asked = null;
      done(reply);
    }
    this.replies.get(reply.id)?.(reply);
    this.replies.delete(reply.id);
  }

  private lose(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = null;
    for (const [id, resolve] of this.replies) resolve(refusal(id, LOST));
    this.replies.clear();
    this.asked?.done(refusal(this.asked.id, LOST));
    this.asked = null;
    if (this.store.connection.value === "version") return;
    if (this.store.connection.value === "open") this.store.connection.value = "lost";
    window.setTimeout(() => this.start(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 1.6);
  }
}

export const net = new Net(store);
