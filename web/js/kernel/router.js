// Addresses of the app: which page is shown, links, history, scroll positions and focus.

/**
 * @typedef {{path: string, [name: string]: unknown}} Route a path such as `/subscriptions/{id}`; `:id` is the same
 * @typedef {{route: Route | null, path: string, params: Record<string, string>, query: URLSearchParams, hash: string}} Place
 * @typedef {"start" | "push" | "replace" | "pop"} Move
 */

/**
 * @param {string} path
 * @returns {{pattern: RegExp, names: string[]}}
 */
function compile(path) {
  /** @type {string[]} */
  const names = [];
  const pattern = path.split("/").map((part) => {
    const name = /^(?:\{(\w+)\}|:(\w+))$/.exec(part);
    if (!name) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(name[1] ?? name[2]);
    return "([^/]+)";
  }).join("/");
  return { pattern: new RegExp(`^${pattern}$`), names };
}

/** @param {string} text */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/**
 * Finds the route of a path, the first that matches.
 * @param {{route: Route, pattern: RegExp, names: string[]}[]} routes
 * @param {string} path
 */
function find(routes, path) {
  for (const { route, pattern, names } of routes) {
    const found = pattern.exec(path);
    if (found) return { route, params: Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1])])) };
  }
  return { route: null, params: {} };
}

/**
 * Starts to follow addresses.
 * @param {object} options
 * @param {string} options.base the path of the app: `/` or `/t/SLUG/`
 * @param {Route[]} options.routes
 * @param {(move: Move) => unknown} options.onChange draws the page; a promise is waited for before scrolling and focus
 * @param {() => HTMLElement | null} [options.heading] what gets focus after a navigation
 */
export function startRouter({ base, routes, onChange, heading = () => document.querySelector("h1") }) {
  const table = routes.map((route) => ({ route, ...compile(route.path) }));
  history.scrollRestoration = "manual";

  /** @returns {Place} */
  const read = () => {
    const whole = location.pathname;
    const path = whole.startsWith(base) ? `/${whole.slice(base.length)}` : whole;
    const clean = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    return { path: clean, query: new URLSearchParams(location.search), hash: location.hash, ...find(table, clean) };
  };
  let place = read();
  let number = 0;
  /** @type {number | undefined} */
  let timer;

  // Between two pages the place on the screen is neither's.
  let isChanging = false;
  const keepScroll = () => {
    if (isChanging) return;
    if (history.state?.scroll === scrollY) return;
    history.replaceState({ ...history.state, scroll: scrollY }, "");
  };

  /** @param {Move} move */
  async function changed(move) {
    const mine = ++number;
    const kept = history.state?.scroll ?? 0;
    clearTimeout(timer);
    isChanging = true;
    place = read();
    try {
      await onChange(move);
    } finally {
      if (mine === number) isChanging = false;
    }
    if (mine !== number) return;
    if (move === "pop") scrollTo(0, kept);
    else if (move === "push") scrollTo(0, 0);
    if (move !== "replace" && move !== "start") heading()?.focus({ preventScroll: true });
  }

  /**
   * The address of a path of the app.
   * @param {string} path
   */
  const address = (path) => base.slice(0, -1) + path;

  /**
   * Goes to a path of the app.
   * @param {string} path
   * @param {{replace?: boolean}} options
   */
  function go(path, { replace = false } = {}) {
    const to = address(path);
    if (replace || to === location.pathname + location.search + location.hash) history.replaceState({ depth: history.state?.depth ?? 0 }, "", to);
    else {
      keepScroll();
      history.pushState({ depth: (history.state?.depth ?? 0) + 1 }, "", to);
    }
    return changed(replace ? "replace" : "push");
  }

  /**
   * Goes back to where the person came from; to a path where that was not in the app.
   * @param {string} fallback
   */
  function back(fallback) {
    if ((history.state?.depth ?? 0) > 0) history.back();
    else return go(fallback, { replace: true });
  }

  /** @param {MouseEvent} event */
  function clicked(event) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = /** @type {Element | null} */ (event.composedPath().find((node) => node instanceof HTMLAnchorElement));
    if (!(link instanceof HTMLAnchorElement) || !link.href || link.target || link.hasAttribute("download")) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || !to.pathname.startsWith(base)) return;
    // A place on this page, as of the skip link, is the browser's.
    if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
    const path = `/${to.pathname.slice(base.length)}`;
    if (!find(table, path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path).route) return;
    event.preventDefault();
    go(path + to.search + to.hash);
  }
  const popped = () => { changed("pop"); };
  addEventListener("click", clicked);
  addEventListener("popstate", popped);
  const scrolled = () => { clearTimeout(timer); timer = setTimeout(keepScroll, 120); };
  addEventListener("scroll", scrolled, { passive: true });

  return {
    get place() { return place; },
    address, go, back,
    /** Draws the page of the present address for the first time. */
    start: () => changed("start"),
    stop() {
      removeEventListener("click", clicked);
      removeEventListener("popstate", popped);
      removeEventListener("scroll", scrolled);
      clearTimeout(timer);
    },
  };
}
