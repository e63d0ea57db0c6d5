/** The lower dock with its windows. */

import { toggleDock } from "../actions";
import { IconButton, moveAmongTabs, Splitter } from "../parts/controls";
import { change, settings, type WindowName } from "../settings";
import { store } from "../store";
import { Commander } from "./commander";
import { TriggerConsole } from "./triggers";
import { LineTools, LineWindow } from "./window";

const TABS: readonly (readonly [WindowName, string])[] = [
  ["debug", "Debug-Out"],
  ["commander", "Commander"],
  ["triggers", "Trigger-Console"],
  ["system", "System log"],
];

export function Dock() {
  const { dockTab, dockHeight, isDockOpen } = settings.value;
  const title = TABS.find(([name]) => name === dockTab)?.[1] ?? "";
  return (
    <section
      class="dock"
      aria-label="Windows"
      style={{ height: isDockOpen ? `min(${dockHeight}px, 60vh)` : "36px" }}
    >
      {isDockOpen && (
        <Splitter
          name="Height of the windows"
          axis="y"
          size={dockHeight}
          minimum={130}
          maximum={560}
          onSize={(size) => change({ dockHeight: size })}
        />
      )}
      <div class="tabs" role="tablist" aria-label="Windows" onKeyDown={moveAmongTabs}>
        {TABS.map(([name, title]) => (
          <Tab key={name} name={name} title={title} isChosen={isDockOpen && dockTab === name} />
        ))}
        <span class="spring" />
        {isDockOpen && <LineTools key={dockTab} window={dockTab} title={title} />}
        <IconButton
          icon={isDockOpen ? "down" : "up"}
          name={isDockOpen ? "Hide windows" : "Show windows"}
          shortcut="D"
          look="plain small"
          onClick={toggleDock}
        />
      </div>
      {isDockOpen && (
        <div class="dock-body" role="tabpanel" aria-label={title}>
          {dockTab === "debug" && (
            <LineWindow
              key="debug"
              window="debug"
              title="Debug-Out"
              empty="What the controllers print appears here."
            />
          )}
          {dockTab === "commander" && <Commander />}
          {dockTab === "triggers" && <TriggerConsole />}
          {dockTab === "system" && (
            <LineWindow
              key="system"
              window="system"
              title="System log"
              empty="What the system has to say appears here."
            />
          )}
        </div>
      )}
    </section>
  );
}

function Tab({
  name,
  title,
  isChosen,
}: {
  name: WindowName;
  title: string;
  isChosen: boolean;
}) {
  const feed = store.lines[name];
  void feed.version;
  const errors = feed.items.reduce((sum, line) => sum + (line.level === "error" ? 1 : 0), 0);
  return (
    <button
      type="button"
      class="tab"
      role="tab"
      aria-selected={isChosen}
      aria-label={title}
      onClick={() => change({ dockTab: name, isDockOpen: true })}
    >
      {title}
      <span class={`tab-count number ${errors ? "bad" : ""}`}>
        {errors || (feed.items.length > 0 ? compact(feed.end) : "")}
      </span>
    </button>
  );
}

function compact(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}
