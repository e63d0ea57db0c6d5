import { render } from "preact";
import { net } from "./net";
import { store } from "./store";

net.start();
render(<p>{store.connection}</p>, document.getElementById("app")!);
