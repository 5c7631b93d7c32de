"""A person's texts in every state, made through the interface and the sandbox's phones."""

from datetime import datetime, timedelta, timezone

from exchange import Exchange, Person
from program import wait_until

CONTACTS = [
    {"name": "Maija Virtanen", "numbers": [{"label": "mobile", "number": "+358401234567"}]},
    {"name": "李雪", "numbers": [{"label": "mobile", "number": "+8613800138000"}]},
    {"name": "Jonas Öberg", "numbers": [{"label": "home", "number": "+46701234567"}, {"label": "work", "number": "+46701234568"}]},
]


class Household:
    """One account with conversations; its phones keep to what each is told."""

    def __init__(self, exchange: Exchange):
        self.exchange = exchange
        self.person: Person = exchange.person("Mikko Korhonen")
        sandbox = exchange.sandbox
        person = self.person

        self.courier = "+447700900123"
        self.maija = "+358401234567"
        self.xue = "+8613800138000"
        self.jonas = "+46701234567"
        self.society = "+358405550199"
        self.esther = "+254712123456"

        self.sent(self.jonas, "Is this still your number?", "failed", "undeliverable")
        self.planned = person.text(
            self.esther, "Happy birthday, Esther! 🎂",
            notBefore=(datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT08:00:00Z"))
        self.sent(self.society, "The meeting is moved to Thursday at six.", "none", "submitted")
        self.sent(self.xue, "几点叫你？", "delivered", "delivered")
        self.answered(self.xue, "明天早上六点半叫我，好吗？")

        self.delivered = self.sent(self.courier, "Blue door, round the back. Mind the ice on the second step.", "delivered",
                                   "delivered")
        self.answered(self.courier, "Parcel for Korhonen. Which door, and is somebody home before ten?")
        self.long = self.sent(
            self.courier,
            "The gate code is 4071#. Press it slowly: the box is old and forgets a digit when it is cold. If the light "
            "stays red, wait half a minute and try again. Then follow the fence to the left, past the woodshed, until you "
            "see the blue door. You can leave the parcel inside, on the bench. Kiitos! 🙏", "none", "submitted")
        self.failed = self.sent(self.courier, "And the code for the barn is 1904#", "failed", "undeliverable")
        self.cancelled = person.text(
            self.courier, "Never mind", notBefore=(datetime.now(timezone.utc) + timedelta(days=2)).strftime("%Y-%m-%dT08:00:00Z"))
        assert person.call("DELETE", f"/messages/{self.cancelled}").status < 300
        sandbox.phone(self.maija, receipt="delivered")
        person.wait_for_state(person.text(self.maija, "Is it warm?"), "delivered")
        self.answered(self.maija, "Did the heating come on?")

    def sent(self, phone: str, text: str, receipt: str, state: str) -> str:
        self.exchange.sandbox.phone(phone, receipt=receipt)
        identifier = self.person.text(phone, text)
        self.person.wait_for_state(identifier, state)
        return identifier

    def answered(self, phone: str, text: str):
        number = self.exchange.sandbox.received(phone)[-1]["from"]
        self.exchange.sandbox.answer(phone, number, text)
        wait_until(
            lambda: any(item["text"] == text for item in self.person.call("GET", "/inbox?limit=100").json["items"]),
            f"the answer '{text}' did not arrive")


SEED_CONTACTS = """
(contacts) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("switchboard");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction("contacts", "readwrite");
    for (const contact of contacts) change.objectStore("contacts").put(contact);
    change.oncomplete = () => { opening.result.close(); resolve(true); };
    change.onabort = () => reject(change.error);
  };
})
"""
