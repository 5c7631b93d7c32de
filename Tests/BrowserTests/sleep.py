"""A page that sleeps."""

import time


class Sleep:
    """No script of the page runs meanwhile, as on a phone in a pocket; what the network brings piles up."""

    def __init__(self, page):
        self.page = page
        self.debugger = page.context.new_cdp_session(page)

    def __enter__(self):
        self.page.evaluate("""() => {
          Object.defineProperty(document, "visibilityState", { configurable: true, get: () => window.isAsleep ? "hidden" : "visible" });
          window.isAsleep = true;
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
        self.debugger.send("Debugger.enable")
        self.debugger.send("Debugger.pause")
        return self

    def __exit__(self, *_):
        self.woken = time.time() * 1000
        self.debugger.send("Debugger.disable")
        self.page.evaluate("""() => {
          window.isAsleep = false;
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
