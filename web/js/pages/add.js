// Adding, in three steps: which provider, which plan, and when.

import { html, keyed } from "../kernel/template.js";
import { act, app, draw, dropDraft, go, ofPerson, saveDraft, set, submit } from "../parts/context.js";
import { amount, capital, country, date, every, money } from "../parts/format.js";
import { formError, text, toggle, segments } from "../parts/field.js";
import { blank } from "../parts/face.js";
import { icon } from "../parts/icons.js";
import { empty, head, loading, section } from "../parts/page.js";
import { finder, often, place, typed } from "../parts/providers.js";
import { tag } from "../parts/subscription.js";
import { say } from "../parts/toast.js";
import { compare as compareAmounts } from "../parts/sums.js";
import { extras } from "../parts/extras.js";
import { w } from "../parts/words.js";

const progress = (step) => html`<ol class="steps" aria-label=${w.stepOf(step, 3)}>${w.steps.map((name, i) =>
  html`<li class=${i + 1 === step ? "at" : i + 1 < step ? "past" : ""} aria-current=${i + 1 === step ? "step" : null}>${name}</li>`)}</ol>`;

/** Step one: which provider. */
export function who(/** @type {import("../../types/app").State} */ state) {
  return html`<div class="page narrow">${head(w.whoTitle, { from: ["./", w.notNow] })}${progress(1)}${finder(state)}
    ${section("often", w.oftenIn(country(state.user.country)), often(state) ?? null, html`<a href="profile">${w.changeCountry}</a>`)}</div>`;
}

/** A plan as a large row. */
function planRow(plan, provider, today) {
  const next = plan.announced, sub = [plan.type === plan.name ? null : plan.type, every(plan.duration), plan.trialDays ? w.trialDays(plan.trialDays) : null, plan.private ? w.ownPlan : null, plan.withdrawn ? w.notSold : null];
  return html`<li><a class="plan" href=${`add/${encodeURIComponent(provider)}/${plan.id}`}><span class="row-main"><span class="row-title" translate="no">${plan.name}</span>
    <span class="row-sub">${sub.filter(Boolean).join(" · ")}</span>${next ? html`<span class="row-sub">${tag(w.announced(money(next.fee, next.currency), date.short(next.effectiveOn)), "soon")}</span>` : null}</span>${amount(plan.fee, plan.currency, "m")}</a></li>`;
}

/** Own plans first, then by price: in the same order whether the plans came from this device or from the service. */
const byPrice = (plans) => plans.toSorted((one, other) => Number(other.private) - Number(one.private) || (one.currency === other.currency ? compareAmounts(one.fee, other.fee) : one.currency < other.currency ? -1 : 1));

/** Step two: which plan. A provider with one plan skips it. */
export function what(/** @type {import("../../types/app").State} */ state, { provider }) {
  const found = state.plansOf(provider);
  return html`<div class="page narrow">${head(found?.provider ?? provider, { from: ["add", w.steps[0]], sub: found ? [found.category, w.pricesIn(country(state.user.country))].filter(Boolean).join(" · ") : null, name: true })}${progress(2)}
    ${found === undefined ? loading() : !found?.plans.length ? empty("search", w.noPlans(provider), w.noPlansText, html`<a class="button primary" href="add/own">${w.ownPlanAdd}</a>`)
      : html`<ul class="plans">${byPrice(found.plans).map((plan) => keyed(plan.id, planRow(plan, found.provider, state.today)))}</ul>
      <p class="muted">${w.otherPrice}</p><p><a href="add/own">${w.ownPlanAdd}</a></p>`}</div>`;
}

// The form of step three. It stays while the page is open, and as a draft when it is left.
const fresh = (plan) => ({ plan, began: "today", startDate: "", nextRenewal: "", freeTrial: false, fee: "", label: "", reminderDays: "", note: "", failure: null, busy: false });
let form = fresh(null);
ofPerson(() => { form = fresh(null); typed.text = ""; });

/** Returns the form's values as the input of the addition. */
function inputOf(plan) {
  const input = { planId: plan.id, autoRenew: false };
  if (form.began === "earlier" && form.startDate) input.startDate = form.startDate;
  if (form.began === "only" && form.nextRenewal) input.nextRenewal = form.nextRenewal;
  if (form.freeTrial) input.freeTrial = true;
  if (form.fee.trim()) input.fee = decimal(form.fee);
  if (form.label.trim()) input.label = form.label.trim();
  if (form.reminderDays !== "") input.reminderDays = Number(form.reminderDays);
  if (form.note.trim()) input.note = form.note.trim();
  return input;
}

/** A decimal number as people type it: a comma is a point where there is no other; where there are both, the last one is it. */
export const decimal = (typedText) => {
  const clean = typedText.trim().replace(/[\s\u00a0\u202f'’]/g, "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(clean)) return clean.replaceAll(".", "").replace(",", ".");
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(clean)) return clean.replaceAll(",", "");
  return /^\d+(?:,\d+)?$/.test(clean) ? clean.replace(",", ".") : clean;
};

/**
 * The end date in large type; it follows each change. It has its place before anything is found, so that the buttons below stay where
 * they are.
 * @param {ReturnType<import("../../types/app").State["preview"]> | null} found
 * @param {import("../../types/app").Duration} duration
 * @param {boolean} trial
 */
export function preview(found, duration, trial) {
  if (found?.failure) return html`<div class="preview wrong-preview"><p>${w.previewFailed}</p></div>`;
  const price = trial ? found?.next : found?.price;
  return html`<div class="preview" aria-live="polite"><div><p class="eyebrow">${trial ? w.trialEndsOn : w.renews}</p><p class="fact-day">${found ? capital(date.long(found.endDate)).replace(/ (?=\S+$)/, "\u00a0") : "–"}</p>
    <p class="muted">${found ? w.thenOn(date.full(found.then), w.each(duration.value, duration.unit)) : "\u00a0"}</p></div>
    ${price ? html`<div class="end">${trial ? html`<p class="muted">${w.freeThen}</p>` : null}${amount(price.fee, price.currency, "m")}</div>` : null}</div>`;
}

const store = (values) => { set(form, values); saveDraft("add", form); };

async function add(state, plan, autoRenew, element) {
  const done = await submit(form, () => app.actions.addSubscription({ ...inputOf(plan), autoRenew }), element);
  if (done) await finished(state, done);
}

/** After an addition: Today for the first, else its page; with a toast to take it back. */
export async function finished(/** @type {import("../../types/app").State} */ state, done) {
  await dropDraft("add");
  typed.text = "";
  form = fresh(null);
  const added = app.state.subscription(done.id);
  const isFirst = app.state.subscriptions.length <= 1;
  go(isFirst ? "" : `subscriptions/${done.id}`);
  say(added ? w.added(added.name, date.medium(added.endDate), added.freeTrial ? "trial" : added.autoRenew ? "" : "asks") : w.addedOne, { text: w.undo, act: () => act(async () => { await done.undo(); go(""); }) });
}

/** When it began, or when it renews. */
export const beganFields = (values, store_, today, formState) => html`${segments("began", w.began, values.began, [["today", capital(w.today)], ["earlier", w.earlier], ["only", w.onlyRenewal]], (began) => store_({ began }))}
  ${values.began === "earlier" ? text("startDate", w.firstDay, values.startDate, (startDate) => store_({ startDate }), { type: "date", max: today, form: formState }) : null}
  ${values.began === "only" ? text("nextRenewal", w.nextRenewal, values.nextRenewal, (nextRenewal) => store_({ nextRenewal }), { type: "date", min: today, form: formState }) : null}`;

/** Step three: the dates. The last tap says whether it renews by itself. */
export function when(/** @type {import("../../types/app").State} */ state, { provider, plan: id }) {
  const plan = state.plan(Number(id));
  if (plan === undefined) return html`<div class="page narrow">${head(provider, { from: ["add", w.steps[0]], name: true })}${progress(3)}${loading()}</div>`;
  if (plan === null) return html`<div class="page narrow">${head(provider, { from: ["add", w.steps[0]], name: true })}${empty("search", w.noPlan, "", html`<a class="button" href="add">${w.back}</a>`)}</div>`;
  if (form.plan !== plan.id) {
    const draft = state.draft("add");
    form = draft?.plan === plan.id ? { ...fresh(plan.id), ...draft } : fresh(plan.id);
  }
  const found = state.preview({ ...inputOf(plan), autoRenew: true }), failed = form.failure ?? (found.failure ? found : null), shown = { failure: failed };
  const isDue = !found.failure, what_ = plan.title ?? plan.name;
  const names = ["startDate", "nextRenewal", "fee", "label", "reminderDays", "note"];
  const trialHint = plan.trialDays ? w.trialDaysHint(plan.trialDays) : w.trialHint;
  return html`<div class="page narrow">${head(what_.startsWith(plan.provider) ? what_ : `${plan.provider} ${what_}`, { from: [`add/${encodeURIComponent(provider)}`, w.steps[1]], sub: w.feeEvery(money(plan.fee, plan.currency), every(plan.duration)), name: true })}${progress(3)}
    <form class="stack" @submit=${(event) => { event.preventDefault(); add(state, plan, event.submitter?.value !== "asks", event.target); }}>
      ${beganFields(form, store, state.today, shown)}
      ${preview(found, plan.duration, form.freeTrial)}
      <div class="card flush">${toggle(w.beganWithTrial, trialHint, form.freeTrial, (freeTrial) => store({ freeTrial }))}</div>
      <details class="more" ?open=${names.slice(2).some((name) => failed?.field === name)}><summary>${w.extrasSummary}</summary>${extras(form, store, plan, shown)}</details>
      ${formError(shown, names)}
      <div class="dock"><p class="ask" id="ask">${w.doesItRenew(form.label.trim() || plan.provider)}</p><div class="pair"><button class="primary tall" name="renews" value="does" aria-describedby="ask" ?disabled=${form.busy}>${w.addDoes}</button>
        <button class="tall" name="renews" value="asks" aria-describedby="ask" ?disabled=${form.busy}>${w.addAsks}</button></div></div></form></div>`;
}
