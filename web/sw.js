// The service worker: keeps the files of its own build, all or none, and shows the shell without network. It never touches `/v1`.
// The service puts `self.app = {build, base, files}` before this text.

const { build, base, files } = self.app;
const PREFIX = `subtrack ${base} `;
const NAME = PREFIX + build;
const SHELL = base;
/** Paths that stay the same in every build. */
const FIXED = ["manifest.webmanifest"].map((path) => base + path);

/** Fetches everything of this build into a cache of its own; one file that fails fails the installation. */
async function install() {
  const cache = await caches.open(NAME);
  const shell = await fetch(SHELL, { cache: "no-cache" });
  if (!shell.ok) throw new Error(`the shell answers ${shell.status}`);
  const page = await shell.clone().text();
  // A shell of another build would ask for files that are not here.
  if (!page.includes(`content="${build}"`)) throw new Error("the shell is of another build");
  await cache.put(SHELL, shell);
  await cache.addAll([...files, ...FIXED].map((path) => new Request(path, { cache: path.includes(`/app/${build}/`) ? "default" : "no-cache" })));
}

/** Asks every page for its build; one that does not answer within a second counts as an old one. */
async function buildsInUse() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return Promise.all(pages.filter(({ url }) => new URL(url).pathname.startsWith(base)).map((page) => new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), 1000);
    const heard = ({ data, source }) => {
      if (data?.kind !== "build" || source?.id !== page.id) return;
      clearTimeout(timer);
      self.removeEventListener("message", heard);
      resolve(data.build);
    };
    self.addEventListener("message", heard);
    page.postMessage({ kind: "which" });
  })));
}

/** Deletes the caches of builds that no page is of. */
async function clean() {
  const used = await buildsInUse();
  if (used.includes(null)) return;
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME && !used.includes(name.slice(PREFIX.length))) await caches.delete(name);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.clients.claim();
  await clean();
})()));
self.addEventListener("message", (event) => {
  if (event.data?.kind === "takeOver") self.skipWaiting();
  if (event.data?.kind === "clean") event.waitUntil(clean());
});

/** A file from the cache of its build, which may be an older one while a page of it is open. */
async function file(request) {
  const { pathname } = new URL(request.url), cached = await caches.match(pathname);
  return cached ?? fetch(request);
}

/** The shell: that of this build, from the cache, so that it never has files of another. */
async function page(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(SHELL)) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(base)) return;
  const path = url.pathname.slice(base.length);
  // Another tenant's pages are another worker's; the interface of the service is nobody's.
  if (/^(?:v1|t|healthz|readyz|metrics|openapi\.json|sw\.js|unsubscribe|calendar\/(?:sub_[^/]*|[^/]+\.ics))(?:\/|$)/.test(path)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (path.startsWith("app/") || path === "manifest.webmanifest") event.respondWith(file(request));
});
