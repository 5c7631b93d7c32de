"""What a person does in the app, by what they see and hear: roles, labels and texts in English."""

import re

from playwright.sync_api import Page, expect

from browsing import wait_in_page


class App:
    """One page of the app. Each step waits for what the person would see before going on."""

    def __init__(self, page: Page):
        self.page = page

    # Places

    def open(self, path: str):
        self.page.goto(path)
        self.is_ready()

    def reload(self):
        self.page.reload()
        self.is_ready()

    def is_ready(self):
        """A screen stands in the place of the words that say that the app is being opened."""
        self.page.locator("main h1, header h1").first.wait_for()
        wait_in_page(self.page, "!document.querySelector('main')?.innerText.includes('Opening…')")

    def sees_heading(self, name: str | re.Pattern):
        expect(self.page.get_by_role("heading", name=name).first).to_be_visible()

    def path(self) -> str:
        return self.page.evaluate("location.pathname")

    def wait_for_path(self, path: str):
        wait_in_page(self.page, "path => location.pathname === path", path)

    def wait_until_kept(self):
        """The app can be opened without a network from now on."""
        self.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        wait_in_page(self.page, "navigator.serviceWorker.controller !== null")
        wait_in_page(
            self.page, "caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(kept => kept.keys()))))"
            ".then(all => all.flat().some(request => new URL(request.url).pathname === '/shell'))")

    # Texts

    def open_conversation(self, peer: str):
        self.open("/texts/with/" + peer.replace("+", "%2B"))

    def write(self, text: str):
        """Writes in the conversation that is open."""
        self.page.get_by_role("textbox", name="Message").fill(text)
        self.page.get_by_role("button", name="Send", exact=True).click()
        self.bubble(text).wait_for()

    def write_to(self, peer: str, text: str):
        self.open_conversation(peer)
        self.write(text)

    def bubble(self, text: str):
        return self.page.get_by_role("main").get_by_text(text, exact=True)

    def under(self, text: str):
        """The line under a bubble: its state, time, and what can be done."""
        return self.bubble(text).locator("xpath=ancestor-or-self::*[contains(@class,'bubble')][1]/following-sibling::*[1]")

    def sees_bubble(self, text: str, state: str | re.Pattern):
        expect(self.under(text)).to_contain_text(state, timeout=15_000)

    def row(self, title: str):
        """A conversation in the list."""
        return self.page.get_by_role("main").get_by_role("link").filter(has_text=title)

    # What waits

    def waiting(self) -> int:
        """How many texts the phone still has."""
        return self.page.evaluate("""() => new Promise((resolve, reject) => {
          const opening = indexedDB.open("switchboard");
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const count = opening.result.transaction("outbox").objectStore("outbox").count();
            count.onsuccess = () => { opening.result.close(); resolve(count.result); };
            count.onerror = () => reject(count.error);
          };
        })""")

    def sees_waiting(self, count: int):
        expect(self.page.get_by_role("status").get_by_text(f"{count} waiting").first).to_be_visible()
        assert self.waiting() == count
