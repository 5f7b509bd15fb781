// Browsers start no worker from a file. On pages opened from the disk search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class FrameWorker extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const page = this.frame.contentDocument;
      page.open();
      page.write("<!doctype html><body></body>");
      page.close();
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.answer(data);
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => load(page, script)), Promise.resolve());
      this.isReady = load(page, address);
    }

    answer(data) {
      const message = new MessageEvent("message", { data });
      this.dispatchEvent(message);
      if (this.onmessage) this.onmessage(message);
    }

    postMessage(data) {
      const give = () => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      this.isReady.then(give);
    }

    terminate() {
      this.frame.remove();
    }
  };

  function load(page, address) {
    return new Promise((resolve, reject) => {
      const script = page.createElement("script");
      script.src = address;
      script.onload = resolve;
      script.onerror = reject;
      page.body.append(script);
    });
  }
}
