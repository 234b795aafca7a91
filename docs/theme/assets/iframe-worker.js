// From a disk browsers refuse to start workers, and the search of the theme is one: there it runs in a hidden frame.
if (location.protocol === "file:") {
  // The second name tells the search where it runs: addresses are then those of the page.
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const room = this.frame.contentWindow;
      const load = (address) =>
        new Promise((done, fail) => {
          const script = room.document.createElement("script");
          Object.assign(script, { src: address, async: false, onload: done, onerror: fail });
          room.document.head.append(script);
        });
      // What a worker calls: the scripts that it asks for come one after another, and its answers go to the page.
      room.importScripts = (...addresses) => Promise.all(addresses.map(load));
      room.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = load(url);
    }

    postMessage(data) {
      const { contentWindow: room } = this.frame;
      this.ready.then(() => room.dispatchEvent(new room.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
