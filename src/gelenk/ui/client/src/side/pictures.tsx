/** Images of cameras and of the robot, with marks; a click enlarges. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Shown, Source } from "../exhibit";
import { IconButton } from "../parts/controls";
import { clock, clockUnit } from "../parts/format";
import { change, settings } from "../settings";
import { store } from "../store";
import { layersOf, Marks } from "./marks";

interface Item {
  readonly name: string;
  readonly title: string;
}

export function PicturesPanel() {
  const items = Object.entries(store.exhibit.titles.value).map(([name, title]) => ({ name, title }));
  return <Images source="picture" items={items} />;
}

export function CamerasPanel() {
  const items = (store.scene.value?.cameras ?? []).map(({ name }) => ({ name, title: name }));
  return (
    <Images source="camera" items={items}>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.value.areScreensOn}
          onChange={(event) => change({ areScreensOn: event.currentTarget.checked })}
        />
        Also in the 3-D view
      </label>
    </Images>
  );
}

interface ImagesProps {
  readonly source: Source;
  readonly items: readonly Item[];
  readonly children?: preact.ComponentChildren;
}

/** Looks at images for as long as it stands: what nobody sees is not made. */
function Images({ source, items, children }: ImagesProps) {
  const names = items.map(({ name }) => name);
  useEffect(() => store.exhibit.watch(source, names), [source, names.join("\n")]);
  useEffect(() => () => store.exhibit.watch(source, []), [source]);
  return (
    <div class="side-fill">
      {children && <div class="line-tools">{children}</div>}
      <div class="images scroll">
        {items.map(({ name, title }) => (
          <Card key={`${store.scene.value?.number} ${name}`} source={source} name={name} title={title} />
        ))}
      </div>
    </div>
  );
}

function Card({ source, name, title }: { source: Source; name: string; title: string }) {
  const live = store.exhibit.image(source, name).value;
  const frozen = useSignal<Shown | null>(null);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const isLarge = useSignal(false);
  const shown = frozen.value ?? live;
  const time = shown?.head.time ?? 0;
  const freeze = () => (frozen.value = frozen.value ? null : live);
  const head = (
    <>
      <h3>{title}</h3>
      <span class="spring" />
      {shown?.bitmap && (
        <span class="number muted">
          {frozen.value && "frozen at "}
          {clock(time)}
          <span class="unit">{clockUnit(time)}</span>
        </span>
      )}
      <IconButton
        icon={frozen.value ? "start" : "pause"}
        name={`${frozen.value ? "Let go on" : "Freeze"}: ${title}`}
        isPressed={frozen.value !== null}
        isDisabled={!shown}
        look="plain small"
        onClick={freeze}
      />
    </>
  );
  return (
    <figure class="image-card" aria-label={title}>
      <header>
        {head}
        <IconButton
          icon="grow"
          name={`Enlarge: ${title}`}
          look="plain small"
          isDisabled={!shown?.bitmap}
          onClick={() => (isLarge.value = true)}
        />
      </header>
      <button
        type="button"
        class="image-face"
        aria-label={`Image: ${title}`}
        title="Enlarge"
        disabled={!shown?.bitmap}
        onClick={() => (isLarge.value = true)}
      >
        <Face shown={shown} hidden={hidden} />
      </button>
      <Legend shown={shown} hidden={hidden} />
      {isLarge.value && (
        <Large title={title} onClose={() => (isLarge.value = false)} head={head}>
          <Face shown={shown} hidden={hidden} />
          <Legend shown={shown} hidden={hidden} />
        </Large>
      )}
    </figure>
  );
}

type Hidden = Signal<ReadonlySet<string>>;

function Face({ shown, hidden }: { shown: Shown | null; hidden: Hidden }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const unit = useSignal(1);
  const { width, height } = shown?.head ?? { width: 0, height: 0 };
  useLayoutEffect(() => {
    if (shown?.bitmap) canvas.current?.getContext("2d")?.drawImage(shown.bitmap, 0, 0);
  });
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) unit.value = width / entry.contentRect.width;
    });
    watcher.observe(canvas.current);
    return () => watcher.disconnect();
  }, [width]);
  if (!shown?.bitmap)
    return (
      <p class={`image-empty ${shown ? "field-error" : "muted"}`}>
        {shown ? shown.head.caption : "Waiting for the first image"}
      </p>
    );
  const marks = shown.head.marks.filter(({ layer }) => !hidden.value.has(layer));
  return (
    <span class="image-box" style={{ aspectRatio: `${width} / ${height}` }}>
      <canvas ref={canvas} width={width} height={height} />
      <Marks marks={marks} width={width} height={height} unit={unit.value} />
    </span>
  );
}

/** Layers to switch, and the sentence below. */
function Legend({ shown, hidden }: { shown: Shown | null; hidden: Hidden }) {
  if (!shown?.bitmap) return null;
  const toggle = (layer: string) => {
    const next = new Set(hidden.value);
    if (!next.delete(layer)) next.add(layer);
    hidden.value = next;
  };
  const layers = layersOf(shown.head.marks);
  return (
    <figcaption class="image-note">
      {layers.length > 0 && (
        <div class="layers" role="group" aria-label="Marks">
          {layers.map(([layer, color]) => (
            <button
              key={layer}
              type="button"
              class="layer"
              aria-pressed={!hidden.value.has(layer)}
              onClick={() => toggle(layer)}
            >
              <span class="swatch" style={{ background: color }} />
              {layer}
            </button>
          ))}
        </div>
      )}
      {shown.head.caption && <p class="muted">{shown.head.caption}</p>}
    </figcaption>
  );
}

interface LargeProps {
  readonly title: string;
  readonly head: preact.ComponentChildren;
  readonly children: preact.ComponentChildren;
  onClose(): void;
}

function Large({ title, head, children, onClose }: LargeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="sheet image-large"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <header>
        {head}
        <IconButton icon="close" name="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}
