/** The whole page. */

import { Gallery } from "./gallery";
import { Notices, VersionWall } from "./notices";
import { page } from "./route";
import { HelpSheet } from "./shortcuts";
import { Side } from "./side/side";
import { store } from "./store";
import { TopBar } from "./topbar";
import { Transport } from "./transport";
import { Viewport } from "./viewport";
import { Dock } from "./windows/dock";

export function App() {
  const hasScene = store.scene.value !== null || store.status.value.is_loading;
  const isScene = page.value === "scene" && hasScene;
  return (
    <div class="app">
      <TopBar />
      {isScene ? (
        <>
          <div class="workspace">
            <main class="centre">
              <Viewport />
              <Dock />
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
