// The template kernel against a model: random values and lists, drawn one after the other into one element, and what is there
// compared with what a fresh element would have.

import { html, keyed, longestGrowing, render, svg } from "/__web/js/kernel/template.js";
import { Random } from "./random.js";

const card = (text, kind) => html`<p class=${kind}>${text}</p>`;
const row = (id, value) => html`<li id=${`r${id}`} ?data-odd=${value === null}><input .value=${`${id}`}><b>${value}</b></li>`;
const drawing = (width) => svg`<rect width=${width} height="4"></rect>`;

function value(random, depth) {
  switch (random.below(depth > 2 ? 6 : 10)) {
    case 0: return null;
    case 1: return random.pick([undefined, false, true, ""]);
    case 2: return random.pick(["a", "<b>no</b>", "&amp;", "\u2060h0", "<!--x-->", "</li>", "日本"]);
    case 3: return random.below(1000);
    case 4: return card(random.pick(["x", "<script>", 0, null]), random.pick(["k", "l", null]));
    case 5: return html`<svg>${drawing(random.below(9))}</svg>`;
    case 6: return [];
    case 7: return html`<div title=${random.pick(["t", null, true, "\"><b>"])}>${value(random, depth + 1)} and ${value(random, depth + 1)}</div>`;
    case 8: return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    default: return list(random);
  }
}
const list = (random) => random.shuffled(Array.from({ length: 12 }, (_, i) => i)).slice(0, random.below(13))
  .map((id) => keyed(`k${id}`, row(id, random.pick([id, null, "<i>"]))));

/** What can be seen of an element: its markup without the kernel's comments. */
const shown = (element) => element.innerHTML.replace(/<!--.*?-->/gs, "");

/** Random values: what was drawn over others is what is drawn afresh. */
export function values(seed, rounds) {
  const random = new Random(seed), element = document.createElement("div");
  document.body.append(element);
  const frame = (value) => html`<section>${value}<hr>${value}</section>`;
  for (let round = 0; round < rounds; round++) {
    const given = value(random, 0), fresh = document.createElement("div");
    render(frame(given), element);
    render(frame(given), fresh);
    if (shown(element) !== shown(fresh)) return { round, drawn: shown(element), expected: shown(fresh) };
  }
  element.remove();
  return null;
}

/** Random keyed lists: order is right, each key keeps its node, and the one with the focus keeps it. */
export function lists(seed, rounds) {
  const random = new Random(seed), element = document.createElement("ul");
  document.body.append(element);
  let before = new Map(), moved = 0;
  for (let round = 0; round < rounds; round++) {
    const given = list(random), wanted = given.map((template) => template.values[0]);
    const focused = random.pick([...before.values(), null]);
    focused?.querySelector("input").focus();
    const nodes = [...element.children];
    render(given, element);
    const drawn = [...element.children];
    if (drawn.map(({ id }) => id).join() !== wanted.join()) return { round, drawn: drawn.map(({ id }) => id), wanted };
    for (const node of drawn) {
      if (before.has(node.id) && before.get(node.id) !== node) return { round, replaced: node.id };
      if (node.querySelector("input").value !== node.id.slice(1)) return { round, value: node.id };
    }
    if (focused?.isConnected && document.activeElement !== focused.querySelector("input")) return { round, lostFocus: focused.id };
    moved += nodes.length;
    before = new Map(drawn.map((node) => [node.id, node]));
  }
  element.remove();
  return moved > 0 ? null : { nothing: true };
}

/** What stays in its place is the longest run there is: compared with all runs. */
export function runs(seed, rounds) {
  const random = new Random(seed);
  for (let round = 0; round < rounds; round++) {
    const numbers = random.shuffled(Array.from({ length: 9 }, (_, i) => (random.once(4) ? -1 : i)));
    const places = [...longestGrowing(numbers)].sort((one, other) => one - other);
    const grows = places.every((place, i) => numbers[place] >= 0 && (i === 0 || numbers[places[i - 1]] < numbers[place]));
    let longest = 0;
    for (let mask = 0; mask < 1 << 9; mask++) {
      const run = numbers.filter((number, i) => mask & (1 << i));
      if (run.every((number, i) => number >= 0 && (i === 0 || run[i - 1] < number))) longest = Math.max(longest, run.length);
    }
    if (!grows || places.length !== longest) return { numbers, places, longest };
  }
  return null;
}

/** How many nodes are moved for one that goes from the front to the end: the others stay. */
export function moves() {
  const element = document.createElement("ul");
  document.body.append(element);
  const draw = (ids) => render(ids.map((id) => keyed(id, row(id, id))), element);
  const ids = Array.from({ length: 50 }, (_, i) => i);
  draw(ids);
  return new Promise((resolve) => {
    let count = 0;
    const observer = new MutationObserver((records) => { for (const { addedNodes } of records) for (const node of addedNodes) count += Number(node.nodeName === "LI"); });
    observer.observe(element, { childList: true });
    draw([...ids.slice(1), 0]);
    setTimeout(() => { observer.disconnect(); element.remove(); resolve(count); });
  });
}

/** Text that would be script elsewhere, in text, attribute and address. */
export function injections() {
  const element = document.createElement("div");
  document.body.append(element);
  const bad = [
    "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "javascript:alert(1)",
    "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "\u0001javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)", "<!-- --><b>x", "</p></div><iframe src=javascript:alert(1)>", "{{constructor.constructor('alert(1)')()}}", "\u2060h0\"><img src=x onerror=alert(1)>",
  ];
  const faults = [];
  for (const text of bad) {
    render(html`<p title=${text}>${text}</p><a href=${text}>x</a><img src=${text} alt=""><form action=${text}></form>${[text, html`<b>${text}</b>`]}`, element);
    if (element.querySelector("script, iframe, svg") || element.querySelectorAll("img").length !== 1) faults.push(["markup", text]);
    if (element.querySelector("p").textContent !== text || element.querySelector("p").title !== text) faults.push(["text", text]);
    for (const [node, name] of [["a", "href"], ["img", "src"], ["form", "action"]]) {
      const address = element.querySelector(node)[name];
      if (address && !/^https?:/.test(address)) faults.push(["address", text, address]);
    }
    for (const node of element.querySelectorAll("*")) for (const { name } of node.attributes) if (name.startsWith("on")) faults.push(["listener", text]);
  }
  for (const make of [() => html`<p .innerHTML=${"x"}></p>`, () => html`<iframe srcdoc=${"x"}></iframe>`, () => html`<p style=${"x"}></p>`, () => html`<p onclick=${"x"}></p>`, () => html`<a .href=${"javascript:1"}></a>`, () => html`<p class="a ${"b"}"></p>`]) {
    try { render(make(), element); faults.push(["taken", String(make)]); } catch { /* refused, as it should be */ }
  }
  for (const good of ["https://example.org/a?b#c", "/subscriptions/1", "mailto:a@example.org", "tel:+49123", "#x", "?a=b", "", "subscriptions/7"]) {
    render(html`<a href=${good}>x</a>`, element);
    if (element.querySelector("a").getAttribute("href") !== good) faults.push(["refused", good]);
  }
  element.remove();
  return faults;
}
