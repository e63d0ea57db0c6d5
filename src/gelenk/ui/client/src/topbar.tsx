/** The top of the page: where one is, how the connection stands, dark or light. */

import { IconButton } from "./parts/controls";
import { Icon, Logo } from "./parts/icons";
import { goTo, page } from "./route";
import { change, settings, theme, type ThemeChoice } from "./settings";
import { isHelpOpen } from "./shortcuts";
import { store, type Connection } from "./store";

const CONNECTION: Readonly<Record<Connection, readonly [string, string]>> = {
  connecting: ["warn", "Connecting"],
  open: ["good", "Connected"],
  lost: ["bad", "Connection lost, trying again"],
  version: ["bad", "Load the page again"],
};

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = {
  system: "light",
  light: "dark",
  dark: "system",
};

export function TopBar() {
  const scene = store.scene.value;
  const isScene = page.value === "scene" && scene !== null;
  const [dot, words] = CONNECTION[store.connection.value];
  const choice = settings.value.theme;
  return (
    <header class="topbar">
      <span class="brand">
        <Logo />
        <span>Gelenk</span>
      </span>
      {isScene && (
        <>
          <button
            type="button"
            class="button plain"
            aria-label="Back to gallery"
            title="Back to gallery (G)"
            onClick={() => goTo("gallery")}
          >
            <Icon name="grid" />
            <span class="wide-only">Gallery</span>
          </button>
          <span class="topbar-title">
            <h1>{scene.title}</h1>
            <span class="muted" title={scene.summary}>
              {scene.summary}
            </span>
          </span>
        </>
      )}
      <span class="spring" />
      <span class="connection" role="status">
        <span class={`dot ${dot}`} />
        {words}
      </span>
      <IconButton
        icon={choice === "system" ? "system" : theme.value === "dark" ? "moon" : "sun"}
        name={`Theme: ${choice === "system" ? "as the system" : choice}`}
        shortcut="T"
        onClick={() => change({ theme: NEXT[choice] })}
      />
      <IconButton
        icon="help"
        name="Keyboard and mouse"
        shortcut="?"
        onClick={() => (isHelpOpen.value = true)}
      />
    </header>
  );
}
