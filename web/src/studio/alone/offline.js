// Keeps the studio for visits without a network: what it consists of is fetched whole, and given from there.
const STORE = "__STORE__";
const NAMES = __NAMES__;

addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const store = await caches.open(STORE);
      await store.addAll(NAMES);
      await skipWaiting();
    })(),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("sistel-") && name !== STORE) await caches.delete(name);
      await clients.claim();
    })(),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(
    (async () => (await (await caches.open(STORE)).match(request, { ignoreSearch: true })) ?? fetch(request))(),
  );
});
