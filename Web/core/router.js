import { focusMain } from "./focus.js";
import { Signal } from "./signal.js";

/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {{path: string, params: Record<string, string>, query: Record<string, string>}} Place */
/** @typedef {{pattern: string, keys: string[], expression: RegExp, tag: string, load?: () => Promise<unknown>}} Route */

/** @type {Route[]} */
const routes = [];
/** @type {Element | null} */
let outlet = null;
/** @type {Screen | null} */
let shown = null;
/** @type {Route | null} */
let shownRoute = null;
let turn = 0;
/**
 * Where each entry of the history was scrolled to.
 * @type {Map<number, number>}
 */
const scrolled = new Map();
let entry = 0;
/** @type {(place: Place) => string | null} */
let guard = () => null;
/** @type {(error: unknown) => void} */
let failed = () => {};

/** Where the person is. */
export const current = new Signal(/** @type {Place} */ ({ path: "", params: {}, query: {} }));

/**
 * Adds a screen.
 * @param {string} pattern like `/texts/with/:peer`
 * @param {string} tag the screen's element
 * @param {() => Promise<unknown>} [load] brings the module that defines it, the first time it is shown
 */
export function route(pattern, tag, load) {
  const keys = [...pattern.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const expression = new RegExp(`^${pattern.replace(/:\w+/g, "([^/]+)")}/?$`);
  routes.push({ pattern, keys, expression, tag, load });
}

/**
 * Shows the screen of the present address in `element`, and follows links and the history from now on.
 * @param {Element} element
 * @param {{guard?: (place: Place) => string | null, failed?: (error: unknown) => void}} [hooks] `guard` names the path
 *   to show instead; `failed` is told when a screen's module could not be brought
 */
export function mount(element, hooks = {}) {
  outlet = element;
  guard = hooks.guard ?? guard;
  failed = hooks.failed ?? failed;
  history.scrollRestoration = "manual";
  entry = Number(history.state?.entry ?? 0);
  history.replaceState({ entry }, "");
  addEventListener("popstate", (event) => {
    scrolled.set(entry, scrollY);
    entry = Number(event.state?.entry ?? 0);
    void show(scrolled.get(entry) ?? 0);
  });
  document.addEventListener("click", follow);
  return show(null);
}

/**
 * Goes to a path of the app.
 * @param {string} path with its query
 * @param {{replace?: boolean}} [options]
 */
export function go(path, options = {}) {
  const replace = options.replace ?? false;
  scrolled.set(entry, scrollY);
  if (!replace) entry += 1;
  history[replace ? "replaceState" : "pushState"]({ entry }, "", path);
  return show(0);
}

/**
 * One step back, or to `fallback` where the app was opened here.
 * @param {string} fallback
 */
export function back(fallback) {
  if (entry > 0) history.back();
  else void go(fallback, { replace: true });
}

/** Shows the present address again, as when the person has signed in. */
export const refresh = () => show(0);

/** @param {string} path @returns {{route: Route, params: Record<string, string>} | null} */
function match(path) {
  for (const route of routes) {
    const found = route.expression.exec(path);
    if (!found) continue;
    try {
      const params = Object.fromEntries(route.keys.map((key, at) => [key, decodeURIComponent(found[at + 1])]));
      return { route, params };
    } catch {
      return null;
    }
  }
  return null;
}

/** @param {MouseEvent} event */
function follow(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
  if (!match(link.pathname)) return;
  event.preventDefault();
  void go(link.pathname + link.search);
}

/**
 * @param {number | null} scroll where to; null when the app has just been opened
 * @returns {Promise<void>}
 */
async function show(scroll) {
  const mine = ++turn;
  const query = Object.fromEntries(new URLSearchParams(location.search));
  let found = match(location.pathname);
  const instead = guard({ path: location.pathname, params: found?.params ?? {}, query });
  if (instead !== null && instead !== location.pathname + location.search) {
    history.replaceState({ entry }, "", instead);
    return show(scroll);
  }
  found ??= match("/missing");
  if (!found || !outlet) return;
  const { route, params } = found;
  try {
    // Its element may be there already, in a file with others; its words may not.
    await route.load?.();
  } catch (error) {
    if (mine === turn) failed(error);
    return;
  }
  if (mine !== turn) return;
  if (shown && shownRoute?.tag === route.tag && shownRoute.pattern === route.pattern) {
    Object.assign(shown, { params, query });
    current.value = { path: location.pathname, params, query };
    shown.moved();
    // It draws itself in a moment, and its heading with it.
    await null;
  } else {
    shown = /** @type {Screen} */ (document.createElement(route.tag));
    Object.assign(shown, { params, query });
    shownRoute = route;
    current.value = { path: location.pathname, params, query };
    outlet.replaceChildren(shown);
  }
  if (scroll === null) return;
  scrollTo(0, scroll);
  if (scroll > 0) restore(scroll, mine);
  focusMain();
}

/**
 * What the screen reads from the store of the phone comes a moment later: the page grows to its height.
 * @param {number} scroll
 * @param {number} mine
 */
function restore(scroll, mine) {
  const until = performance.now() + 1000;
  const step = () => {
    if (mine !== turn || Math.abs(scrollY - scroll) < 2 || performance.now() > until) return;
    scrollTo(0, scroll);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
