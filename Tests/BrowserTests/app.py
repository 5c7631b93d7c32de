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

    def said(self, text: str):
        """One text of the conversation with the line under it: its state, its time, and what can be done."""
        page = self.page
        return page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_text(text, exact=True))

    def bubble(self, text: str):
        return self.page.get_by_role("main").get_by_text(text, exact=True)

    def sees_bubble(self, text: str, state: str | re.Pattern):
        expect(self.said(text)).to_contain_text(state, timeout=15_000)

    def row(self, title: str):
        """A conversation in the list."""
        return self.page.get_by_role("main").get_by_role("link").filter(has_text=title)

    # Signing up and in

    def ask_code(self, phone: str):
        self.open("/sign-up")
        self.page.get_by_label("Phone number").fill(phone)
        self.page.get_by_role("button", name="Text me the code").click()
        self.sees_heading("Enter the code")

    def enter_code(self, code: str):
        """It goes on by itself once all six digits are in."""
        self.page.get_by_label("Six-digit code").fill(code)

    def choose_password(self, password: str):
        self.sees_heading("Choose a password")
        self.page.get_by_label("New password").fill(password)
        self.page.get_by_role("switch").check()
        self.page.get_by_role("button", name="Finish").click()

    def sign_in(self, person):
        self.open("/sign-in")
        self.page.get_by_label("Phone number").fill(person.phone)
        self.page.get_by_label("Password", exact=True).fill(person.password)
        self.page.get_by_role("button", name="Sign in").click()
        self.wait_for_path("/texts")

    def sign_out(self):
        self.open("/me")
        self.page.get_by_role("button", name="Sign out").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
        self.wait_for_path("/sign-in")

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

    def waiting_item(self, text: str):
        page = self.page
        return page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_text(text, exact=True))

    def change_waiting(self, text: str, new: str):
        self.waiting_item(text).get_by_role("button", name=re.compile("^Change")).click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("textbox", name="Message").fill(new)
        dialog.get_by_role("button", name="Keep the change").click()
        self.waiting_item(new).wait_for()

    def drop_waiting(self, text: str):
        self.waiting_item(text).get_by_role("button", name=re.compile("^Drop")).click()
        expect(self.waiting_item(text)).to_have_count(0)
