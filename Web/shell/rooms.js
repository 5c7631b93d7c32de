// The places the bar leads to.
//
// A bar with one tab is no choice, so while Texts is the only room the bar holds what a person of this app goes to every
// day: the texts, the people, and oneself. When a second room comes, rooms take the tabs, the people move into Texts,
// and oneself becomes the face at the top, as the design has it for five rooms.

/** @typedef {{path: string, icon: string, label: string, owns: RegExp, counts?: boolean}} Room */

/** @type {readonly Room[]} */
export const rooms = [
  { path: "/texts", icon: "texts", label: "shell.texts", owns: /^\/(texts|outbox)(\/|$)/, counts: true },
  { path: "/contacts", icon: "people", label: "shell.contacts", owns: /^\/contacts(\/|$)/ },
  { path: "/me", icon: "person", label: "shell.me", owns: /^\/(me|operator)(\/|$)/ },
];
