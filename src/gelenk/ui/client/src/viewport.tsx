/** The picture with what lies over it: views, flags, downloads, the word on the past. */

import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import {
  animationTime,
  offers,
  saveCurves,
  savePicture,
  sizeText,
  toggleAnimation,
  toggleRecording,
} from "./downloads";
import { FinishedPill } from "./again";
import { CAPTION } from "./exhibit";
import { ProblemBanner } from "./notices";
import { PALETTE } from "./palette";
import { IconButton, Menu } from "./parts/controls";
import { capital, clock, clockUnit } from "./parts/format";
import { Icon, type IconName } from "./parts/icons";
import { endPicking, picking } from "./picking";
import { backToLive, continueFromHere, endReplay, isReplaying, refusal, replay } from "./scrub";
import { setFlag, settings, type ViewFlags } from "./settings";
import { view } from "./stage";
import { store } from "./store";
import type { ViewName } from "./view/types";

const loading = import("./view");

const FLAGS: readonly (readonly [keyof ViewFlags, string])[] = [
  ["visuals", "Visible shapes"],
  ["collisions", "Collision shapes"],
  ["motors", "Moving motors"],
  ["zones", "Trigger areas and light barriers"],
  ["trails", "Trails"],
  ["contacts", "Contact points and forces"],
  ["frames", "Frames of bodies"],
];

const VIEWS: readonly (readonly [ViewName, string, IconName])[] = [
  ["home", "Home view", "home"],
  ["top", "View from above", "top"],
  ["front", "View from the front", "front"],
  ["side", "View from the side", "side"],
];

export function Viewport() {
  const host = useRef<HTMLDivElement>(null);
  const problem = useSignal("");
  useEffect(() => {
    let isGone = false;
    loading
      .then(({ mountView }) => {
        if (!isGone && host.current) view.value = mountView(host.current, store);
      })
      .catch((reason: unknown) => (problem.value = String(reason)));
    return () => {
      isGone = true;
      view.value?.dispose();
      view.value = null;
    };
  }, []);
  return (
    <section class="viewport" aria-label="3-D view">
      <div class="viewport-host" ref={host} />
      {problem.value && (
        <p class="viewport-word field-error">The 3-D view does not work here: {problem}</p>
      )}
      <Caption />
      <ViewTools />
      <PastPill />
      <FinishedPill />
      <PickPill />
      <ProblemBanner />
      <LoadingWord />
    </section>
  );
}

/** What the scene says of itself, now. */
function Caption() {
  const said = store.exhibit.overlays.value.find(({ name }) => name === CAPTION);
  if (!said || said.kind !== "texts" || store.frames.shown.value !== "live") return null;
  return (
    <p class="caption" role="status" aria-label="Caption">
      <span class="dot" style={{ background: PALETTE[said.color] }} /> {said.texts.join(" ")}
    </p>
  );
}

function LoadingWord() {
  const { is_loading, loading } = store.status.value;
  if (!is_loading) return null;
  return (
    <p class="viewport-word" role="status">
      <span class="spinner" /> {loading || "Building the scene"}
    </p>
  );
}

function ViewTools() {
  const flags = settings.value.flags;
  const { hidden } = store.exhibit;
  const names = store.exhibit.overlayNames.value;
  return (
    <div class="view-tools" role="toolbar" aria-label="View">
      {animationTime.value !== null && (
        <button type="button" class="button small recording" onClick={toggleAnimation}>
          <Icon name="stop" size={11} /> {animationTime.value.toFixed(1)} s
        </button>
      )}
      {store.status.value.is_recording && (
        <button
          type="button"
          class="button small recording"
          onClick={() => void toggleRecording()}
        >
          <span class="dot bad" /> Recording
        </button>
      )}
      {VIEWS.map(([name, title, icon], index) => (
        <IconButton
          key={name}
          icon={icon}
          name={title}
          shortcut={String(index + 1)}
          onClick={() => view.value?.setView(name)}
        />
      ))}
      <span class="rule" />
      <Menu icon="layers" name="What is shown" look="plain">
        <fieldset class="menu-list">
          <legend class="muted">Show</legend>
          {FLAGS.map(([name, title]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={flags[name]}
                onChange={(event) => setFlag(name, event.currentTarget.checked)}
              />
              {title}
            </label>
          ))}
          {names.map((name) => (
            <label key={`overlay ${name}`} class="check">
              <input
                type="checkbox"
                checked={!hidden.value.has(name)}
                onChange={(event) => store.exhibit.setHidden(name, !event.currentTarget.checked)}
              />
              {capital(name)}
            </label>
          ))}
        </fieldset>
      </Menu>
      <DownloadMenu />
    </div>
  );
}

function DownloadMenu() {
  const isRecording = store.status.value.is_recording;
  return (
    <Menu icon="download" name="Record and download" look="plain">
      <div class="menu-list">
        <button type="button" class="button plain" onClick={() => void savePicture()}>
          <Icon name="camera" /> Picture (PNG)
        </button>
        <button type="button" class="button plain" onClick={toggleAnimation}>
          <Icon name="film" />
          {animationTime.value === null ? "Take an animation" : "End the animation"}
        </button>
        <button type="button" class="button plain" onClick={saveCurves}>
          <Icon name="plot" /> Curves (CSV)
        </button>
        <button
          type="button"
          class="button plain"
          aria-pressed={isRecording}
          onClick={() => void toggleRecording()}
        >
          <Icon name="record" />
          {isRecording ? "End recording (MCAP)" : "Record the run (MCAP)"}
        </button>
        {offers.value.map((offer) => (
          <a key={offer.url} class="button plain" href={offer.url} download={offer.name}>
            <Icon name="download" /> {offer.name}
            <span class="muted number">{sizeText(offer.size)}</span>
          </a>
        ))}
      </div>
    </Menu>
  );
}

/** Says what a click into the view will choose. */
function PickPill() {
  const wish = picking.value;
  if (!wish) return null;
  return (
    <div class="past" role="status" aria-label="Choosing a place">
      <Icon name="target" size={15} />
      <span>{wish.title}: click into the view</span>
      <button type="button" class="button small plain" onClick={() => endPicking()}>
        Cancel <kbd>Esc</kbd>
      </button>
    </div>
  );
}

/** Says that the past is looked at, and what can be done from there. */
function PastPill() {
  const shown = store.frames.shown.value;
  const step = store.scene.value?.step ?? 0;
  if (shown === "live") return null;
  const time = shown * step;
  return (
    <div class="past" role="group" aria-label="Looking back">
      {refusal.value && (
        <p class="past-refusal field-error" role="alert">
          {refusal}
        </p>
      )}
      <span class="past-time number">
        {clock(time)}
        <span class="unit">{clockUnit(time)}</span>
      </span>
      {settings.value.flags.contacts && (
        <span class="muted" title="Contact points and forces are shown live, they are not kept.">
          without contacts
        </span>
      )}
      <button
        type="button"
        class="button small plain"
        onClick={isReplaying.value ? endReplay : replay}
      >
        <Icon name={isReplaying.value ? "pause" : "start"} size={13} />
        {isReplaying.value ? "Halt" : "Replay"}
      </button>
      <button type="button" class="button small plain" onClick={() => void continueFromHere()}>
        Continue from here
      </button>
      <button type="button" class="button small primary" onClick={backToLive}>
        Return to live
      </button>
    </div>
  );
}
