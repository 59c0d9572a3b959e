// Installing is offered once, as a line in More, after the third visit with something kept.

import { draw } from "./context.js";

const VISITS = "subtrack.visits", DONE = "subtrack.installed";
let event = null;

/** Local storage may be refused; then nothing is offered. */
const read = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const write = (name, value) => { try { localStorage.setItem(name, value); } catch { /* nothing is kept */ } };

/** Counts a visit and keeps the browser's offer for later. */
export function countVisit(isKept) {
  if (isKept) write(VISITS, String(Math.min(99, Number(read(VISITS)) + 1)));
  addEventListener("beforeinstallprompt", (offered) => { offered.preventDefault(); event = offered; draw(); });
  addEventListener("appinstalled", () => { event = null; write(DONE, "yes"); draw(); });
}

export const canInstall = () => event !== null && Number(read(VISITS)) >= 3 && read(DONE) === null;

/** Asks the browser to install; a refusal is not asked again. */
export async function install() {
  const offered = event;
  event = null;
  draw();
  await offered?.prompt();
  write(DONE, "asked");
}
