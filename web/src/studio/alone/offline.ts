// Keeps the studio for visits without a network: what it consists of is fetched whole, and given from there. The tool
// that builds the folder writes its list, and a name that changes with what is in it.
const STORE = "__STORE__";
const NAMES = JSON.parse("__NAMES__") as string[];

interface Moment extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asked extends Moment {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
const scope = self as unknown as {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: "install" | "activate", heard: (event: Moment) => void): void;
  addEventListener(name: "fetch", heard: (event: Asked) => void): void;
};

scope.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const store = await caches.open(STORE);
      await store.addAll(NAMES);
      await scope.skipWaiting();
    })(),
  );
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("sistel-") && name !== STORE) await caches.delete(name);
      await scope.clients.claim();
    })(),
  );
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(
    (async () => (await (await caches.open(STORE)).match(request, { ignoreSearch: true })) ?? fetch(request))(),
  );
});
