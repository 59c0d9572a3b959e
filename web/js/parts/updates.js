// The service worker, and new builds: nothing is taken over while a form is open or a page is being read.

import { app, offerUpdate } from "./context.js";

/** How long a page must be hidden before a new build takes over by itself, in milliseconds. */
const HIDDEN = 60_000;
let waiting = null, isWanted = false, timer;

/** Tells the new worker to take over; the page reloads when it has. */
function takeUpdate() {
  isWanted = true;
  waiting?.postMessage({ kind: "takeOver" });
}

const hasForm = () => document.querySelector("form input, form textarea, dialog[open]") !== null && document.querySelector("main form") !== null;

function found(worker) {
  if (worker.state === "redundant") return;
  waiting = worker;
  offerUpdate(takeUpdate);
}

function watch(registration) {
  if (registration.waiting && navigator.serviceWorker.controller) found(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => { if (worker.state === "installed" && navigator.serviceWorker.controller) found(worker); });
  });
}

/** Registers the worker. Its script's address passes the second policy of Trusted Types, which takes this one text alone. */
export async function followUpdates(base) {
  if (!("serviceWorker" in navigator)) return;
  const address = `${base}sw.js`;
  const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (text) => { if (text !== address) throw new TypeError(text); return text; } });
  // A page of a tenant begins under the worker of the root, where that is there already.
  let isOwn = navigator.serviceWorker.controller?.scriptURL === new URL(address, location.href).href;
  navigator.serviceWorker.addEventListener("controllerchange", async () => {
    // The first worker of its own takes over a page of its own build: there is nothing to reload.
    if (!isOwn) { isOwn = true; return; }
    await app?.close().catch(() => {});
    location.reload();
  });
  navigator.serviceWorker.addEventListener("message", ({ data, source }) => {
    if (data?.kind === "which") source?.postMessage({ kind: "build", build: document.querySelector('meta[name="build"]')?.getAttribute("content") ?? "" });
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => { if (waiting && !isWanted && !hasForm()) takeUpdate(); }, HIDDEN);
    else navigator.serviceWorker.getRegistration(base).then((registration) => registration?.update()).catch(() => {});
  });
  try {
    const registration = await navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address, { scope: base });
    watch(registration);
  } catch { /* plain HTTP elsewhere, or storage refused: the app works online */ }
}
