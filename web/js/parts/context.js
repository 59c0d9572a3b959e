// The open app as pages reach it: drawing, navigation, actions and their results.

import { w } from "./words.js";
import { say } from "./toast.js";

/** @type {import("../../types/app").App} */
export let app;
/** @type {ReturnType<typeof import("../kernel/router.js").startRouter>} */
export let router;
let onDraw = () => {};
let wanted = false;

/** Sets the open app and its drawing function. Called once, at start. */
export function connect(opened, drawing) {
  app = opened;
  onDraw = drawing;
}
export function useRouter(started) { router = started; }

/** @type {Set<() => void>} */
const forgetting = new Set();
/** @type {string | null} */
let person = null;

/** Registers what a page does with what a person has typed there when another person is signed in. */
export const ofPerson = (/** @type {() => void} */ forget) => { forgetting.add(forget); };

/** Takes note of the signed-in user's id. A device that gets its first user goes on with what was typed. */
export function showTo(/** @type {string | null} */ user) {
  if (person !== null && user !== person) for (const forget of forgetting) forget();
  person = user;
}

/** Takes the new build that waits; null: there is none. */
export let update = null;
export function offerUpdate(take) {
  update = take;
  draw();
}

/** Asks for one draw in the next frame. */
export function draw() {
  if (wanted) return;
  wanted = true;
  const run = () => { if (wanted) { wanted = false; onDraw(); } };
  if (document.hidden) setTimeout(run); else requestAnimationFrame(run);
}

/** Opens a page of the app: "subscriptions/ID", "" for Today. */
export const go = (path, options) => router.go(`/${path}`, options);

/** Returns a `go` for after an action. It does nothing once the person has gone to another page: a store may take its time. */
export function goingOn() {
  const { place } = router;
  return (path, options = {}) => { if (router.place === place) go(path, options); };
}

/** Changes values of a page's own state and draws. */
export function set(state, values) {
  Object.assign(state, values);
  draw();
}

/** The words for a failure: those of its code in the reader's language, else the service's own. */
export function wordsOf(failure) {
  const words = w.failures[failure?.code] ?? w.failures[failure?.failure];
  if (typeof words === "function") return words(failure.values ?? {}, failure, app.state.sendsMails);
  return words ?? (failure?.detail || w.failures.unknown);
}

/** Runs an action; a failure is said in a toast. Returns nothing after a failure. */
export async function act(work, /** @type {{said?: string, undo?: boolean}} */ { said, undo = true } = {}) {
  try {
    const done = await work();
    if (said) say(said, undo && done?.undo ? { text: w.undo, act: () => act(() => done.undo()) } : null);
    return done ?? true;
  } catch (/** @type {any} */ failure) {
    if (!failure?.failure) console.error(failure);
    say(wordsOf(failure), null, "wrong");
    return undefined;
  } finally {
    draw();
  }
}

/** Keeps what is typed into a form. A store that is full says so when the form is sent. */
export const saveDraft = (name, form) => { app.actions.saveDraft(name, { ...form, failure: null, busy: false }).catch(() => {}); };

/** Forgets what was typed into a form. A page that is drawn before it is gone would take it for a form that is half filled. */
export const dropDraft = (name) => app.actions.dropDraft(name).catch(() => {});

/** Moves the focus in the frame of the next draw, after it. What is typed then goes where the person sees it go. */
export const afterDraw = (focus) => requestAnimationFrame(focus);

/** Runs the action of a form. A failure is kept in `form.failure` for its field, and focus goes there. */
export async function submit(form, work, element) {
  if (form.busy) return undefined;
  set(form, { busy: true, failure: null });
  try {
    const done = await work();
    set(form, { busy: false });
    return done ?? true;
  } catch (/** @type {any} */ failure) {
    if (!failure?.failure) console.error(failure);
    set(form, { busy: false, failure: failure?.failure ? failure : { failure: "unknown", code: "unknown", field: "", detail: "", errors: [], values: {} } });
    afterDraw(() => element?.querySelector?.('[aria-invalid="true"], [role="alert"]')?.focus());
    return undefined;
  }
}
