/** Starts the page. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./app";
import { drawExhibit } from "./exhibit_view";
import { installHook } from "./hook";
import { net } from "./net";
import { settings } from "./settings";
import { listenToKeys } from "./shortcuts";
import { store } from "./store";
import "./style/theme.css";
import "./style/page.css";
import "./style/panels.css";
import "./style/exhibit.css";

installHook();
listenToKeys();

// The token has become a cookie; it need not stand in the address.
const address = new URL(location.href);
if (address.searchParams.has("token")) {
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

effect(() => {
  const { contacts } = settings.value.flags;
  const { camera, picture } = store.exhibit.watched.value;
  if (store.connection.value === "open" && store.hello.value)
    void net.request("watch", {
      signals: true,
      contacts,
      cameras: [...camera],
      pictures: [...picture],
    });
});

drawExhibit();
net.start();
render(<App />, document.getElementById("app")!);
