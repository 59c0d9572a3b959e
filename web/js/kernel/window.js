// Long lists: rows in sight and one screen beyond are in the page, the others are room.

import { html, keyed, render } from "./template.js";

/** Lists up to here are whole. */
const WHOLE = 100;

/**
 * `<st-window .items=${list} .row=${(item, index) => html`<li>…</li>`} .key=${(item) => item.id}>`: a list of which only the rows
 * in sight are drawn, as soon as there are more than a hundred. Each row's template has one element, an `<li>` unless `.tag` says
 * otherwise (`.tag="ol"`). When printing all rows are drawn.
 */
export class WindowedList extends HTMLElement {
  /** @type {unknown[]} */ #items = [];
  /** @type {(item: any, index: number) => import("./template.js").Template} */ #row = () => html``;
  /** @type {(item: any) => unknown} */ #key = (item) => item?.id ?? item;
  #tag = "ul";
  #label = "";
  #listClass = "list";
  /** @type {HTMLElement | null} */ #list = null;
  /** @type {HTMLElement | null} */ #above = null;
  /** @type {HTMLElement | null} */ #below = null;
  /** @type {Map<unknown, number>} */ #heights = new Map();
  #usual = 64;
  #isMeasured = false;
  #from = 0;
  #to = 0;
  /** @type {unknown[]} */ #drawn = [];
  #isAsked = false;
  #isPrinting = false;
  /** @type {ResizeObserver | null} */ #sizes = null;
  #width = 0;

  get items() { return this.#items; }
  set items(items) { this.#items = items; this.#ask(); }
  get row() { return this.#row; }
  set row(row) { this.#row = row; this.#ask(); }
  get key() { return this.#key; }
  set key(key) { this.#key = key; }
  get tag() { return this.#tag; }
  set tag(tag) { this.#tag = tag; }
  get listClass() { return this.#listClass; }
  set listClass(name) { this.#listClass = name; if (this.#list) this.#list.className = name; }
  /** The list's name for screen readers. */
  get label() { return this.#label; }
  set label(label) { this.#label = label; if (this.#list) this.#list.ariaLabel = label || null; }

  connectedCallback() {
    if (!this.#list) {
      this.#above = document.createElement("div");
      this.#below = document.createElement("div");
      this.#list = document.createElement(this.#tag);
      this.#list.className = this.#listClass;
      // Safari forgets that a list without bullets is one.
      this.#list.setAttribute("role", "list");
      if (this.#label) this.#list.ariaLabel = this.#label;
      this.append(this.#above, this.#list, this.#below);
    }
    addEventListener("scroll", this.#scrolled, { passive: true, capture: true });
    addEventListener("beforeprint", this.#print);
    addEventListener("afterprint", this.#printed);
    this.#sizes = new ResizeObserver(() => {
      // Another width makes other rows.
      if (this.#width !== this.clientWidth) { this.#width = this.clientWidth; this.#heights.clear(); this.#isMeasured = false; }
      this.#ask();
    });
    this.#sizes.observe(this);
    this.draw();
  }

  disconnectedCallback() {
    removeEventListener("scroll", this.#scrolled, { capture: true });
    removeEventListener("beforeprint", this.#print);
    removeEventListener("afterprint", this.#printed);
    this.#sizes?.disconnect();
  }

  #scrolled = () => {
    if (this.#items.length <= WHOLE) return;
    const [from, to] = this.#sight();
    // What is drawn reaches beyond what is seen; only near its ends there is something to do.
    if (from < this.#from || to > this.#to) this.draw();
  };
  #print = () => { this.#isPrinting = true; this.draw(); };
  #printed = () => { this.#isPrinting = false; this.draw(); };

  #ask() {
    if (this.#isAsked || !this.isConnected) return;
    this.#isAsked = true;
    queueMicrotask(() => { this.#isAsked = false; if (this.isConnected) this.draw(); });
  }

  /** @param {number} index */
  #height(index) { return this.#heights.get(this.#key(this.#items[index])) ?? this.#usual; }

  /**
   * First and last row that are in sight.
   * @param {number} beyond how many pixels more, above and below
   * @returns {[number, number]}
   */
  #sight(beyond = 0) {
    const top = this.getBoundingClientRect().top, screen = innerHeight;
    let y = top, from = 0;
    const count = this.#items.length;
    while (from < count && y + this.#height(from) < -beyond) y += this.#height(from++);
    let to = from;
    while (to < count && y < screen + beyond) y += this.#height(to++);
    return [from, to];
  }

  /** Draws the rows that are in sight. */
  draw() {
    const list = this.#list, above = this.#above, below = this.#below;
    if (!list || !above || !below) return;
    const items = this.#items, isWhole = this.#isPrinting || items.length <= WHOLE;
    let [from, to] = isWhole ? [0, items.length] : this.#sight(innerHeight);
    // A row with the focus stays, or the keyboard would be lost.
    const focused = isWhole ? -1 : this.#focused();
    const shown = items.slice(from, to).map((item, i) => ({ item, index: from + i }));
    if (focused >= 0 && focused < from) shown.unshift({ item: items[focused], index: focused });
    if (focused >= to && focused < items.length) shown.push({ item: items[focused], index: focused });
    this.#from = from;
    this.#to = to;
    this.#drawn = shown.map(({ item }) => this.#key(item));
    render(shown.map(({ item, index }) => keyed(this.#key(item), this.#row(item, index))), list);
    let i = 0;
    for (const element of list.children) {
      if (isWhole) {
        element.removeAttribute("aria-setsize");
        element.removeAttribute("aria-posinset");
      } else {
        element.setAttribute("aria-setsize", String(items.length));
        element.setAttribute("aria-posinset", String(shown[i].index + 1));
      }
      i++;
    }
    if (isWhole) {
      above.style.blockSize = below.style.blockSize = "";
      return;
    }
    let sum = 0, count = 0;
    i = 0;
    for (const element of list.children) {
      const height = /** @type {HTMLElement} */ (element).offsetHeight;
      if (height) {
        this.#heights.set(this.#key(shown[i].item), height);
        sum += height;
        count++;
      }
      i++;
    }
    // What was never seen is taken for as high as the first that were.
    if (count && !this.#isMeasured) { this.#usual = sum / count; this.#isMeasured = true; }
    let before = 0, after = 0;
    for (let index = 0; index < from; index++) before += this.#height(index);
    for (let index = to; index < items.length; index++) after += this.#height(index);
    if (focused >= 0 && focused < from) before -= this.#height(focused);
    if (focused >= to) after -= this.#height(focused);
    above.style.blockSize = `${Math.max(before, 0)}px`;
    below.style.blockSize = `${Math.max(after, 0)}px`;
  }

  /** The index of the row that has the focus; −1: none. */
  #focused() {
    const list = this.#list, active = document.activeElement;
    if (!list || !active || !list.contains(active)) return -1;
    const at = [...list.children].findIndex((element) => element.contains(active));
    // By its key: the list may be another one by now.
    return at < 0 ? -1 : this.#items.findIndex((item) => this.#key(item) === this.#drawn[at]);
  }

  /**
   * Brings a row into sight, and gives its element: for keys that go from row to row.
   * @param {number} index
   * @returns {Element | null}
   */
  reveal(index) {
    if (index < 0 || index >= this.#items.length || !this.#list) return null;
    if (this.#items.length > WHOLE && (index < this.#from || index >= this.#to)) {
      let y = this.getBoundingClientRect().top + scrollY;
      for (let i = 0; i < index; i++) y += this.#height(i);
      scrollTo(0, y - innerHeight / 3);
      this.draw();
    }
    const element = this.#items.length > WHOLE
      ? this.#list.querySelector(`:scope > [aria-posinset="${index + 1}"]`) : this.#list.children[index];
    element?.scrollIntoView({ block: "nearest" });
    return element ?? null;
  }
}

if (!customElements.get("st-window")) customElements.define("st-window", WindowedList);
