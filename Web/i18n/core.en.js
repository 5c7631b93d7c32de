/** @type {import("../core/i18n.js").Catalogue} */
export default {
  "app.skip": "Skip to content",
  "app.slogan": "Texts to any phone, accepted, delivered and proved.",
  "app.opening": "Opening…",
  "app.noscript": "Switchboard needs JavaScript, and none but its own.",
  "app.cancel": "Cancel",
  "app.done": "Done",
  "app.edit": "Edit",
  "app.back": "Back",
  "app.close": "Close",
  "app.save": "Save",
  "app.delete": "Delete",
  "app.retry": "Try again",
  "app.details": "Details",
  "app.offline": "Offline",
  "error.network": "The server could not be reached. Nothing is lost; try again when there is a network.",
  "error.other": "Something went wrong on the server. Nothing you wrote is lost. Try again in a moment.",
};
