// The terms, in plain words: a heading and its sentences. Their version is the server's (`terms` in `/start`).
/** @type {import("../account/terms.js").Terms} */
export default [
  ["Who runs this", "This exchange is run by whoever gave you its address: the operator. Switchboard is the program they run. Ask the operator about anything here."],
  ["What is stored", "Your number, your name if you enter one, your language and time zone. Each text you send or receive, with its numbers, times, cost and what became of it. Where you are signed in. Your password is stored only in a form from which it can not be read.", "Drafts, contacts and texts that wait are on your phone only. Signing out removes them there."],
  ["Who can read your texts", "The operator's pages show numbers, times and states, but not the words of your texts. The words are stored on the operator's server, and carriers see them on the way, as with every text message. Do not put into a text what must stay secret."],
  ["What it costs", "Sending a text can cost money. The price stands beside the button before you send, where the carrier has told it. The operator may set a limit a day. What a carrier has taken can not be called back."],
  ["What you must not do", "No texts to people who do not want them, no threats, no fraud, no false names, nothing against the law. When somebody answers STOP, write no more. The operator may close an account that is misused."],
  ["What is not promised", "A text can come late or not at all; the app shows what is known, and no more. Never rely on it in an emergency: call the emergency number."],
  ["Your number", "Sign up only with a number of your own. If you give it up, delete your account or tell the operator, before somebody else gets the number."],
  ["When you leave", "Under Me you can export everything at any time, and delete your account. After seven days all of it is erased from this exchange; signing in before then undoes it. What carriers keep is up to them and the law."],
];
