/** Words that come and go, and the banner of a scene that broke. */

import { useState } from "preact/hooks";
import * as actions from "./actions";
import { IconButton } from "./parts/controls";
import { goTo } from "./route";
import { store } from "./store";

export function Notices() {
  return (
    <div class="notices" role="log" aria-live="polite" aria-label="Notices">
      {store.notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.level}`}>
          <p>{notice.text}</p>
          <IconButton
            icon="close"
            name="Dismiss"
            look="plain small"
            onClick={() => store.dismiss(notice.id)}
          />
        </div>
      ))}
    </div>
  );
}

export function ProblemBanner() {
  const { problem, buttons } = store.status.value;
  const [hidden, setHidden] = useState("");
  if (!problem || hidden === problem) return null;
  const lines = problem.trim().split("\n");
  // The last line of a traceback says what happened.
  const isTrace = problem.includes("Traceback");
  const head = isTrace ? lines.at(-1) : lines[0];
  const rest = isTrace ? problem : lines.slice(1).join("\n");
  return (
    <div class="problem" role="alert" aria-label="Problem">
      <div class="problem-head">
        <span class="dot bad" />
        <p>
          <strong>The scene stands still.</strong> {head}
        </p>
      </div>
      {rest.trim() && (
        <details>
          <summary>Details</summary>
          <pre class="scroll">{rest}</pre>
        </details>
      )}
      <div class="problem-buttons">
        <button
          type="button"
          class="button small"
          disabled={!buttons.includes("reset")}
          onClick={() => actions.execute("reset")}
        >
          Reset scene
        </button>
        <button type="button" class="button small" onClick={() => goTo("gallery")}>
          Go to gallery
        </button>
        <button type="button" class="button small plain" onClick={() => setHidden(problem)}>
          Hide
        </button>
      </div>
    </div>
  );
}

/** Another version of the server: this page can no longer talk to it. */
export function VersionWall() {
  if (store.connection.value !== "version") return null;
  return (
    <div class="wall" role="alertdialog" aria-label="New version">
      <div class="wall-body">
        <h2>The server has changed</h2>
        <p>This page was made for another version of it. Nothing is lost: runs go on.</p>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    </div>
  );
}
