// Templates as tagged literals, kept in step with the page. Text is always text: nothing here parses a value as HTML.

/**
 * @typedef {{strings: TemplateStringsArray, values: unknown[], svg: boolean, key: unknown}} Template
 * @typedef {{at: number, index: number, name: string | null}} Hole
 * @typedef {{content: DocumentFragment, holes: Hole[]}} Compiled
 */

/**
 * A template of HTML. A value stands for text, a template, a list, a node, or a whole attribute: `name=`, `?name=` (there or
 * not), `.name=` (property), `@event=` (listener), `@mount=` (called once with the element).
 * @param {TemplateStringsArray} strings
 * @param {unknown[]} values
 * @returns {Template}
 */
export const html = (strings, ...values) => ({ strings, values, svg: false, key: undefined });

/**
 * A template of SVG.
 * @param {TemplateStringsArray} strings
 * @param {unknown[]} values
 * @returns {Template}
 */
export const svg = (strings, ...values) => ({ strings, values, svg: true, key: undefined });

/**
 * A template that keeps its nodes wherever it moves in a list.
 * @param {unknown} key
 * @param {Template} template
 * @returns {Template}
 */
export const keyed = (key, template) => ({ ...template, key });

/** Renders nothing. */
export const nothing = null;

/** The one place where text becomes markup, and it takes the program's own literals alone. */
const markup = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("templates", { createHTML: (/** @type {string} */ text) => text })
  ?? { createHTML: (/** @type {string} */ text) => text };

/** @type {WeakMap<TemplateStringsArray, Compiled>} */
const compiled = new WeakMap();
/** Stands for a value in a template's text. */
const HOLE = "\u2060h";

/** Attributes and properties that would make script or style of a value. */
const REFUSED = /^(?:\.(?:innerHTML|outerHTML|srcdoc|href|src|action|formAction)|[.?]?(?:srcdoc|style|on\w+))$/;

/**
 * @param {Template} template
 * @returns {Compiled}
 */
function compile({ strings, svg }) {
  const known = compiled.get(strings);
  if (known) return known;
  let text = "";
  /** @type {(string | null)[]} */
  const names = [];
  for (let i = 0; i < strings.length - 1; i++) {
    text += strings[i];
    if (text.lastIndexOf("<") > text.lastIndexOf(">")) {
      const name = /([@.?]?[\w:-]+)=$/.exec(text)?.[1];
      if (!name) throw new Error(`A value stands for a whole attribute: …${strings[i].slice(-40)}`);
      if (REFUSED.test(name)) throw new Error(`No value may become ${name}`);
      names.push(name);
      text += `"${HOLE}${i}"`;
    } else {
      names.push(null);
      text += `<!--${HOLE}${i}-->`;
    }
  }
  text += strings[strings.length - 1];
  const element = document.createElement("template");
  element.innerHTML = markup.createHTML(svg ? `<svg>${text}</svg>` : text);
  const root = element.content.firstChild;
  if (svg && root) element.content.replaceChildren(...root.childNodes);
  /** @type {Hole[]} */
  const holes = [];
  const walker = document.createTreeWalker(element.content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  for (let at = 0; walker.nextNode(); at++) {
    const node = walker.currentNode;
    if (node instanceof Comment) {
      if (node.data.startsWith(HOLE)) holes.push({ at, index: Number(node.data.slice(HOLE.length)), name: null });
      continue;
    }
    const given = /** @type {Element} */ (node);
    for (const attribute of [...given.attributes]) {
      if (!attribute.value.startsWith(HOLE)) continue;
      const index = Number(attribute.value.slice(HOLE.length));
      given.removeAttribute(attribute.name);
      holes.push({ at, index, name: names[index] });
    }
  }
  if (holes.length !== names.length) throw new Error(`A value stands where none can be: ${strings.join("…").slice(0, 80)}`);
  const made = { content: element.content, holes };
  compiled.set(strings, made);
  return made;
}

const SAFE_ADDRESS = /^(?:https?:|mailto:|tel:|[/#?.]|[\w-]+(?:[/?#]|$))/i;
const ADDRESS = /^(?:href|src|action|formaction|xlink:href)$/i;

/**
 * Whether a text may be where a link or a picture leads.
 * @param {string} text
 * @param {string} name the attribute
 */
export const isSafeAddress = (text, name = "href") =>
  text === "" || SAFE_ADDRESS.test(text.trim()) || (name === "src" && text.startsWith("blob:"));

class AttributePart {
  /**
   * @param {Element} node
   * @param {string} name
   */
  constructor(node, name) {
    this.node = node;
    this.name = name;
    /** @type {unknown} */
    this.value = undefined;
  }

  /** @param {unknown} value */
  set(value) {
    if (value === this.value && this.name[0] !== ".") return;
    const { node, name } = this;
    if (name === "@mount") {
      if (this.value === undefined && typeof value === "function") queueMicrotask(() => value(node));
    } else if (name[0] === "@") {
      if (!this.value && value) node.addEventListener(name.slice(1), this);
      if (this.value && !value) node.removeEventListener(name.slice(1), this);
    } else if (name[0] === ".") {
      // What a person typed since is no reason to write again what the state says already.
      const target = /** @type {any} */ (node), property = name.slice(1);
      if (value !== this.value || (property !== "value" && property !== "checked")) {
        if (target[property] !== value) target[property] = value;
      }
    } else if (name[0] === "?") {
      node.toggleAttribute(name.slice(1), Boolean(value));
    } else if (value === null || value === undefined || value === false) {
      node.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (ADDRESS.test(name) && !isSafeAddress(text, name)) node.removeAttribute(name);
      else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
    this.value = value;
  }

  /** @param {Event} event */
  handleEvent(event) { /** @type {Function} */ (this.value).call(this.node, event); }
}

class Instance {
  /** @param {Template} template */
  constructor(template) {
    const { content, holes } = compile(template);
    this.strings = template.strings;
    this.fragment = document.importNode(content, true);
    const walker = document.createTreeWalker(this.fragment, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
    /** @type {Node[]} */
    const nodes = [];
    for (let at = 0, next = 0; next < holes.length && walker.nextNode(); at++)
      for (; next < holes.length && holes[next].at === at; next++) nodes.push(walker.currentNode);
    this.parts = holes.map(({ index, name }, i) => ({
      index, part: name ? new AttributePart(/** @type {Element} */ (nodes[i]), name) : new ChildPart(/** @type {Comment} */ (nodes[i])),
    }));
  }

  /** @param {unknown[]} values */
  set(values) { for (const { index, part } of this.parts) part.set(values[index]); }
}

/** Moves a node and keeps its state (focus, scroll) where the browser can. */
const move = /** @param {Node} parent @param {Node} node @param {Node} before */ (parent, node, before) => {
  const target = /** @type {any} */ (parent);
  if (target.moveBefore && node.isConnected && target.isConnected) target.moveBefore(node, before);
  else parent.insertBefore(node, before);
};

/**
 * The places of the longest run of growing numbers: what need not move. −1 is never in it.
 * @param {number[]} numbers
 * @returns {Set<number>}
 */
export function longestGrowing(numbers) {
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const before = new Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] < 0) continue;
    let low = 0, high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]] < numbers[i]) low = middle + 1; else high = middle;
    }
    before[i] = low > 0 ? ends[low - 1] : -1;
    ends[low] = i;
  }
  /** @type {Set<number>} */
  const places = new Set();
  for (let i = ends.length ? ends[ends.length - 1] : -1; i >= 0; i = before[i]) places.add(i);
  return places;
}

class ChildPart {
  /** @param {Comment} end */
  constructor(end) {
    this.end = end;
    this.start = /** @type {Node} */ (end.parentNode).insertBefore(document.createComment(""), end);
    /** @type {"empty" | "text" | "node" | "template" | "list"} */
    this.kind = "empty";
    /** @type {Instance | undefined} */
    this.instance = undefined;
    /** @type {Map<unknown, ChildPart> | undefined} */
    this.items = undefined;
    /** @type {unknown} */
    this.text = undefined;
    /** @type {unknown} */
    this.key = undefined;
  }

  get parent() { return /** @type {Node} */ (this.end.parentNode); }

  clear() {
    while (this.start.nextSibling && this.start.nextSibling !== this.end) this.start.nextSibling.remove();
    this.kind = "empty";
    this.instance = this.items = this.text = this.key = undefined;
  }

  /** @param {Node} node */
  insert(node) { this.parent.insertBefore(node, this.end); }

  remove() {
    this.clear();
    this.start.remove();
    this.end.remove();
  }

  /** @param {unknown} value */
  set(value) {
    if (value === null || value === undefined || value === false || value === true || value === "") {
      if (this.kind !== "empty") this.clear();
    } else if (Array.isArray(value)) this.setList(value);
    else if (/** @type {any} */ (value).strings) this.setTemplate(/** @type {Template} */ (value));
    else if (value instanceof Node) {
      if (this.kind === "node" && this.text === value) return;
      this.clear();
      this.insert(value);
      this.kind = "node";
      this.text = value;
    } else {
      const text = String(value);
      if (this.kind === "text") {
        if (this.text !== text) /** @type {Text} */ (this.start.nextSibling).data = text;
      } else {
        this.clear();
        this.insert(document.createTextNode(text));
        this.kind = "text";
      }
      this.text = text;
    }
  }

  /** @param {Template} template */
  setTemplate(template) {
    if (this.kind === "template" && this.instance && this.instance.strings === template.strings && this.key === template.key) {
      this.instance.set(template.values);
      return;
    }
    this.clear();
    const instance = new Instance(template);
    instance.set(template.values);
    this.insert(instance.fragment);
    this.kind = "template";
    this.instance = instance;
    this.key = template.key;
  }

  /** @param {unknown[]} values */
  setList(values) {
    if (this.kind !== "list" || !this.items) {
      this.clear();
      this.kind = "list";
      this.items = new Map();
    }
    const before = this.items;
    /** @type {Map<unknown, ChildPart | undefined>} */
    const after = new Map();
    const keys = values.map((value, index) => {
      let key = /** @type {any} */ (value)?.strings ? /** @type {Template} */ (value).key ?? index : index;
      // Two of one key are a fault of the page; both are shown.
      while (after.has(key)) key = `${String(key)} again ${index}`;
      after.set(key, before.get(key));
      return key;
    });
    for (const [key, part] of before) if (!after.has(key)) part.remove();
    const places = new Map([...before.keys()].filter((key) => after.has(key)).map((key, place) => [key, place]));
    const staying = longestGrowing(keys.map((key) => places.get(key) ?? -1));
    const focused = document.activeElement;
    /** @type {Map<unknown, ChildPart>} */
    const items = new Map();
    let place = this.start.nextSibling ?? this.end;
    keys.forEach((key, index) => {
      let part = after.get(key);
      if (!part) {
        const end = document.createComment("");
        this.parent.insertBefore(end, place);
        part = new ChildPart(end);
      } else if (staying.has(index)) place = part.end.nextSibling ?? this.end;
      else {
        for (let node = /** @type {Node} */ (part.start); ;) {
          const next = /** @type {Node} */ (node.nextSibling);
          move(this.parent, node, place);
          if (node === part.end) break;
          node = next;
        }
      }
      part.set(values[index]);
      items.set(key, part);
    });
    this.items = items;
    if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  }
}

/** @type {WeakMap<Element, ChildPart>} */
const roots = new WeakMap();

/**
 * Makes an element show a template; called again it changes what differs and nothing else.
 * @param {unknown} template
 * @param {Element} container
 */
export function render(template, container) {
  let root = roots.get(container);
  if (!root || root.end.parentNode !== container) {
    const end = document.createComment("");
    container.replaceChildren(end);
    roots.set(container, root = new ChildPart(end));
  }
  root.set(template);
}
