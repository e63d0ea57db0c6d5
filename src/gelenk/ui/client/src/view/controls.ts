/** Mouse, fingers and keys on the picture. */

import { orbit, pan, scale, zoom, type Orbit } from "./orbit";

const CLICK_WAY = 5; // px; who moves less has clicked
const WHEEL_RATE = 0.25; // of the mouse: a notch of 100 goes like a drag of 25 px
const KEY_STEP = 24; // px, a key zooms like a drag of this length

export interface ControlsHost {
  readonly canvas: HTMLCanvasElement;
  /** Whether something else has the pointer, such as the target that is dragged. */
  isBusy(): boolean;
  camera(): Orbit;
  /** Takes a camera that a person has moved. */
  move(camera: Orbit, isFocusMoved: boolean): void;
  click(x: number, y: number): void;
  doubleClick(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  /** Returns whether the key meant something. */
  key(name: string): boolean;
}

interface Pointer {
  x: number;
  y: number;
  readonly button: number;
  way: number;
}

/** Spread and middle of two fingers. */
function pinch(pointers: ReadonlyMap<number, Pointer>): { x: number; y: number; spread: number } {
  const [a, b] = [...pointers.values()] as [Pointer, Pointer];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
}

export class Controls {
  private readonly pointers = new Map<number, Pointer>();
  private readonly end = new AbortController();

  constructor(private readonly host: ControlsHost) {
    const { canvas } = host;
    const { signal } = this.end;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.moved(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.up(event), { signal });
    canvas.addEventListener("pointercancel", (event) => this.drop(event), { signal });
    canvas.addEventListener("lostpointercapture", (event) => this.drop(event), { signal });
    canvas.addEventListener("pointerleave", () => host.leave(), { signal });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.keyDown(event), { signal });
    canvas.addEventListener(
      "dblclick",
      (event) => {
        const [x, y] = this.place(event);
        if (!host.isBusy() && event.button === 0) host.doubleClick(x, y);
      },
      { signal },
    );
  }

  dispose(): void {
    this.end.abort();
  }

  private place(event: MouseEvent): [number, number] {
    const box = this.host.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    if (this.host.isBusy()) return;
    this.host.canvas.focus({ preventScroll: true });
    const [x, y] = this.place(event);
    this.pointers.set(event.pointerId, { x, y, button: event.button, way: 0 });
    this.host.canvas.setPointerCapture(event.pointerId);
  }

  private moved(event: PointerEvent): void {
    const [x, y] = this.place(event);
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer || this.host.isBusy()) {
      if (this.host.isBusy()) this.host.leave();
      else if (event.pointerType === "mouse") this.host.hover(x, y);
      return;
    }
    const before = this.pointers.size === 2 ? pinch(this.pointers) : null;
    const [dx, dy] = [x - pointer.x, y - pointer.y];
    pointer.x = x;
    pointer.y = y;
    pointer.way += Math.hypot(dx, dy);
    if (before) this.twoFingers(before);
    else if (this.pointers.size === 1 && pointer.way >= CLICK_WAY) this.drag(event, pointer, dx, dy);
  }

  private drag(event: PointerEvent, pointer: Pointer, dx: number, dy: number): void {
    const { host } = this;
    const camera = host.camera();
    host.leave();
    if (pointer.button === 2) host.move(zoom(camera, dy), false);
    else if (event.shiftKey || pointer.button === 1)
      host.move(pan(camera, dx, dy, host.canvas.clientHeight), true);
    else host.move(orbit(camera, dx, dy), false);
  }

  private twoFingers(before: { x: number; y: number; spread: number }): void {
    const { host } = this;
    const now = pinch(this.pointers);
    const moved = pan(host.camera(), now.x - before.x, now.y - before.y, host.canvas.clientHeight);
    const ratio = before.spread / Math.max(now.spread, 1);
    host.move(scale(moved, ratio), true);
  }

  private up(event: PointerEvent): void {
    const pointer = this.pointers.get(event.pointerId);
    this.drop(event);
    if (!pointer || this.host.isBusy() || this.pointers.size > 0) return;
    if (pointer.way < CLICK_WAY && pointer.button === 0) this.host.click(pointer.x, pointer.y);
  }

  private drop(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    const way = Math.max(-300, Math.min(300, unit * event.deltaY));
    this.host.move(zoom(this.host.camera(), WHEEL_RATE * way), false);
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { host } = this;
    if (event.key === "+" || event.key === "=") host.move(zoom(host.camera(), -KEY_STEP), false);
    else if (event.key === "-") host.move(zoom(host.camera(), KEY_STEP), false);
    else if (!host.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys would do something else
  }
}
