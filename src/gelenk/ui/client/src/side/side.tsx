/** The right column: control, plots, events and the tools of the robot. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { toggleSide } from "../actions";
import { IconButton, moveAmongTabs, Splitter } from "../parts/controls";
import { Guard } from "../parts/guard";
import { Icon, type IconName } from "../parts/icons";
import { net } from "../net";
import { change, settings } from "../settings";
import { view } from "../stage";
import { store } from "../store";
import { TOOLS, type Tool, type ToolProps } from "../tools";
import { ControlPanel } from "./control";
import { EventsPanel } from "./events";
import { CamerasPanel, PicturesPanel } from "./pictures";
import { PlotsPanel } from "./plots";
import { TablesPanel } from "./tables";

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
}

const FIXED: readonly Entry[] = [
  { name: "control", title: "Control", icon: "sliders" },
  { name: "plots", title: "Plots", icon: "plot" },
  { name: "events", title: "Events", icon: "flag" },
];

/** Those of scenes that have something to show in them. */
const SHOWN: readonly Entry[] = [
  { name: "pictures", title: "Pictures", icon: "image" },
  { name: "tables", title: "Tables", icon: "table" },
  { name: "cameras", title: "Cameras", icon: "camera" },
];

const ICONS: Readonly<Record<string, IconName>> = {
  "armbot-editor": "edit",
  "ik-race": "target",
  assembly: "parts",
};

const WIDE = 520; // px, for tools that ask for it

export function Side() {
  const { sideTab, sideWidth, isSideOpen } = settings.value;
  const tools = store.panel.value.tools.flatMap((name) => TOOLS.get(name) ?? []);
  const { tables, titles } = store.exhibit;
  const isThere: Readonly<Record<string, boolean>> = {
    pictures: Object.keys(titles.value).length > 0,
    tables: tables.value.length > 0,
    cameras: (store.scene.value?.cameras.length ?? 0) > 0,
  };
  const entries: readonly Entry[] = [
    ...FIXED,
    ...SHOWN.filter(({ name }) => isThere[name]),
    ...tools.map(({ name, title }) => ({ name, title, icon: ICONS[name] ?? "tool" })),
  ];
  const chosen = entries.find((entry) => entry.name === sideTab) ?? FIXED[0]!;
  const tool = tools.find(({ name }) => name === chosen.name);
  const width = tool?.isWide ? Math.max(sideWidth, WIDE) : sideWidth;
  return (
    <aside class="side" aria-label="Side panel">
      {isSideOpen && (
        <div
          class={`side-panel ${tool?.isWide ? "wide" : ""}`}
          role="tabpanel"
          aria-label={chosen.title}
          style={{ width: `min(${width}px, 60vw)` }}
        >
          <Splitter
            name="Width of the side panel"
            axis="x"
            size={width}
            minimum={260}
            maximum={760}
            onSize={(size) => change({ sideWidth: size })}
          />
          <Guard key={chosen.name} name={chosen.title}>
            {chosen.name === "control" && <ControlPanel />}
            {chosen.name === "plots" && <PlotsPanel />}
            {chosen.name === "events" && <EventsPanel />}
            {chosen.name === "pictures" && <PicturesPanel />}
            {chosen.name === "tables" && <TablesPanel />}
            {chosen.name === "cameras" && <CamerasPanel />}
            {tool && <ToolHost key={tool.name} tool={tool} />}
          </Guard>
        </div>
      )}
      <div class="rail">
        <div
          role="tablist"
          aria-orientation="vertical"
          aria-label="Side panels"
          onKeyDown={moveAmongTabs}
        >
          {entries.map(({ name, title, icon }) => (
            <button
              key={name}
              type="button"
              class="rail-tab"
              role="tab"
              aria-label={title}
              aria-selected={isSideOpen && chosen.name === name}
              title={title}
              onClick={() => change({ sideTab: name, isSideOpen: true })}
            >
              <Icon name={icon} size={19} />
              <span>{title}</span>
            </button>
          ))}
        </div>
        <span class="spring" />
        <IconButton
          icon={isSideOpen ? "right" : "back"}
          name={isSideOpen ? "Hide side panel" : "Show side panel"}
          shortcut="B"
          onClick={toggleSide}
        />
      </div>
    </aside>
  );
}

/** Loads a tool when it is opened; a tool that fails says so and harms nothing else. */
function ToolHost({ tool }: { tool: Tool }) {
  const [Part, setPart] = useState<ComponentType<ToolProps> | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    tool.load().then(
      (module) => setPart(() => module.default),
      (reason: unknown) => setProblem(String(reason)),
    );
  }, [tool]);
  if (problem) return <p class="empty field-error">This tool could not be loaded: {problem}</p>;
  if (!Part) return <p class="empty">Loading</p>;
  return <Part store={store} net={net} view={view.value} />;
}
