/** The first page: every scene with a picture and a sentence. */

import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { net } from "./net";
import { Icon } from "./parts/icons";
import { clock, clockUnit } from "./parts/format";
import type { SceneCard } from "./protocol";
import { goTo, opening, openScene } from "./route";
import { store } from "./store";

export function Gallery() {
  const query = useSignal("");
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = store.gallery.value.filter((card) => {
    const text = `${card.title} ${card.summary} ${card.group} ${card.name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = [...new Set(found.map((card) => card.group))];
  return (
    <main class="gallery scroll">
      <div class="gallery-body">
        <header class="gallery-head">
          <div>
            <h1>Choose a scene</h1>
            <p class="muted">It starts at once, and everybody who looks on sees it.</p>
          </div>
          <label class="search">
            <Icon name="search" />
            <span class="hidden-label">Search scenes</span>
            <input
              class="input"
              type="search"
              placeholder="Search scenes"
              value={query.value}
              onInput={(event) => (query.value = event.currentTarget.value)}
            />
          </label>
        </header>
        <RunningNow />
        {groups.map((group) => (
          <section key={group} aria-label={group || "Scenes"}>
            <h2>
              {group || "Scenes"}
              <span class="muted number">
                {found.filter((card) => card.group === group).length}
              </span>
            </h2>
            <ul class="cards">
              {found
                .filter((card) => card.group === group)
                .map((card) => (
                  <Card key={card.name} card={card} />
                ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && store.hello.value && (
          <p class="empty">
            {words.length
              ? `No scene has “${query.value.trim()}” in it.`
              : "There are no scenes."}
          </p>
        )}
      </div>
    </main>
  );
}

function Card({ card }: { card: SceneCard }) {
  const isOpening = opening.value === card.name;
  const isRunning = store.scene.value?.name === card.name;
  const [isBroken, setBroken] = useState(false);
  return (
    <li>
      <button
        type="button"
        class="card"
        aria-label={card.title}
        aria-description={card.summary}
        aria-busy={isOpening}
        disabled={Boolean(opening.value) && !isOpening}
        onClick={() => void openScene(card.name)}
      >
        <span class="card-picture">
          <Icon name="layers" size={36} />
          {card.picture && !isBroken && (
            <img
              src={card.picture}
              alt=""
              width={480}
              height={300}
              decoding="async"
              onError={() => setBroken(true)}
            />
          )}
          {isOpening && (
            <span class="card-busy">
              <span class="spinner" /> {store.status.value.loading || "Opening"}
            </span>
          )}
          {isRunning && !isOpening && (
            <span class="chip card-chip">
              <span class="dot running" /> open
            </span>
          )}
        </span>
        <span class="card-text">
          <strong>{card.title}</strong>
          <span class="muted">{card.summary}</span>
        </span>
      </button>
    </li>
  );
}

/** The scene that goes on while the gallery is looked at. */
function RunningNow() {
  const scene = store.scene.value;
  if (!scene) return null;
  const status = store.status.value;
  return (
    <section class="running-now" aria-label="Open scene">
      <span class={`dot ${status.problem ? "bad" : status.is_held ? "held" : "running"}`} />
      <strong>{scene.title}</strong>
      <span class="muted number">
        {status.problem
          ? "stopped with a problem"
          : `goes on, ${clock(status.time)} ${clockUnit(status.time)}`}
      </span>
      <span class="spring" />
      <button type="button" class="button" onClick={() => void net.ask("close_scene", {})}>
        End scene
      </button>
      <button type="button" class="button primary" onClick={() => goTo("scene")}>
        Return to scene
      </button>
    </section>
  );
}
