/** The whole page. */

import { computed } from "@preact/signals";
import { Gallery } from "./gallery";
import { Notices, VersionWall } from "./notices";
import { Guard } from "./parts/guard";
import { page } from "./route";
import { HelpSheet } from "./shortcuts";
import { Side } from "./side/side";
import { store } from "./store";
import { TopBar } from "./topbar";
import { Transport } from "./transport";
import { Viewport } from "./viewport";
import { Dock } from "./windows/dock";

const isScene = computed(
  () => page.value === "scene" && (store.scene.value !== null || store.status.value.is_loading),
);

export function App() {
  return (
    <div class="app">
      <TopBar />
      {isScene.value ? (
        <>
          <div class="workspace">
            <main class="centre">
              <Viewport />
              <Guard name="The windows">
                <Dock />
              </Guard>
            </main>
            <Side />
          </div>
          <Transport />
        </>
      ) : store.hello.value ? (
        <Gallery />
      ) : (
        <main class="waiting">
          <span class="spinner" /> Connecting to the server
        </main>
      )}
      <Notices />
      <HelpSheet />
      <VersionWall />
    </div>
  );
}
