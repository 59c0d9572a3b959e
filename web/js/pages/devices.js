// Where one is signed in.

import { html, keyed } from "../kernel/template.js";
import { act, app } from "../parts/context.js";
import { ago } from "../parts/format.js";
import { icon } from "../parts/icons.js";
import { head, loading } from "../parts/page.js";
import { tag } from "../parts/subscription.js";
import { wordsOf } from "../parts/context.js";
import { w } from "../parts/words.js";

/** The icon that a device's name suggests. */
const sign = (name) => (/phone|android|telefon|mobile|手机/i.test(name) ? "device" : /subtrack|terminal|shell/i.test(name) ? "terminal" : "laptop");

export default function devices(/** @type {import("../../types/app").State} */ state) {
  const sessions = state.sessions(), now = new Date().toISOString();
  return html`<div class="page narrow">${head(w.devices, { from: ["profile", w.profile], sub: w.devicesText })}
    ${sessions === undefined ? loading() : !Array.isArray(sessions) ? html`<div class="problem" role="alert"><p>${wordsOf(sessions)}</p></div>`
      : html`<ul class="list card flush">${sessions.map((one) => keyed(one.id, html`<li class="row"><span class="face blank">${icon(sign(one.device.name), 22)}</span><span class="row-main"><span class="row-title"><bdi>${one.device.name}</bdi></span>
        <span class="row-sub">${one.current ? w.thisOne : ago(one.lastUsedAt, now)}</span></span>${one.current ? tag(w.here, "pine") : html`<button class="quiet" @click=${() => act(() => app.actions.endSession(one.id), { said: w.sessionEnded(one.device.name), undo: false })}>${w.signOut}<span class="visually-hidden">: ${one.device.name}</span></button>`}</li>`))}</ul>`}</div>`;
}
