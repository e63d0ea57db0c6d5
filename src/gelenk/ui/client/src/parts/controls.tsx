/** Buttons, menus and splitters of the house. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface IconButtonProps {
  readonly icon: IconName;
  /** Its accessible name and hint. */
  readonly name: string;
  /** Key that does the same, for the hint. */
  readonly shortcut?: string;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly look?: string;
  onClick(): void;
}

export function IconButton(props: IconButtonProps) {
  const { icon, name, shortcut, isPressed, isDisabled, look = "plain", onClick } = props;
  return (
    <button
      type="button"
      class={`button icon ${look}`}
      aria-label={name}
      aria-pressed={isPressed}
      title={shortcut ? `${name} (${shortcut})` : name}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface MenuProps {
  readonly icon: IconName;
  readonly name: string;
  readonly look?: string;
  /** Shown on the button beside the icon. */
  readonly label?: string;
  readonly side?: "left" | "right";
  readonly children: ComponentChildren;
}

/** A button that opens a small sheet; Escape, or a click elsewhere, closes it. */
export function Menu({ icon, name, label, look = "", side = "right", children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      root.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", away, true);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", away, true);
      document.removeEventListener("keydown", escape, true);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        class={`button ${label ? "" : "icon"} ${look}`}
        aria-label={name}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
        {label}
      </button>
      {isOpen && (
        <div class={`menu-sheet ${side}`} role="dialog" aria-label={name}>
          {children}
        </div>
      )}
    </div>
  );
}

interface SplitterProps {
  readonly name: string;
  /** Of the dragged edge. */
  readonly axis: "x" | "y";
  readonly size: number;
  readonly minimum: number;
  readonly maximum: number;
  onSize(size: number): void;
}

/** A thin bar that is dragged, or moved with the arrow keys, to give more room. */
export function Splitter({ name, axis, size, minimum, maximum, onSize }: SplitterProps) {
  const limit = (value: number) => Math.round(Math.max(minimum, Math.min(maximum, value)));
  const begin = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const origin = axis === "x" ? event.clientX : event.clientY;
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) =>
      onSize(limit(size + origin - (axis === "x" ? move.clientX : move.clientY)));
    bar.onpointerup = bar.onpointercancel = () => {
      bar.onpointermove = null;
    };
    event.preventDefault();
  };
  const keys = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  return (
    <div
      class={`splitter ${axis}`}
      role="separator"
      tabIndex={0}
      aria-label={name}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onPointerDown={begin}
      onKeyDown={(event) => {
        const place = keys.indexOf(event.key);
        if (place < 0) return;
        event.preventDefault();
        event.stopPropagation();
        onSize(limit(size + (place === 0 ? 16 : -16)));
      }}
    />
  );
}

/** A message beside a field; takes no room while there is none. */
export function FieldError({ id, text }: { id: string; text: string }) {
  return (
    <p class="field-error" id={id} role="alert">
      {text}
    </p>
  );
}

/** Arrow keys in a list of tabs: the next tab, or the one before. */
export function moveAmongTabs(event: KeyboardEvent): void {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowDown: 1,
    ArrowLeft: -1,
    ArrowUp: -1,
  };
  const step = steps[event.key];
  const list = event.currentTarget as HTMLElement;
  const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
  const place = tabs.indexOf(event.target as HTMLElement);
  if (!step || place < 0) return;
  event.preventDefault();
  const next = tabs[(place + step + tabs.length) % tabs.length]!;
  next.focus();
  next.click();
}
