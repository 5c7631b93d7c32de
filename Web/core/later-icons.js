// Icons that no first screen shows; whoever shows one of them imports this.

import { addIcons } from "./icons.js";
import { svg } from "./view.js";

addIcons({
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  tick: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  send: svg`<path d="M12 19V5.5M5.5 12 12 5.5l6.5 6.5"/>`,
  lock: svg`<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>`,
  load: svg`<path d="M12 4v11M8 11.5l4 4 4-4M5 19.5h14"/>`,
  bin: svg`<path d="M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7"/>`,
  info: svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11v5.5M12 7.8v.01"/>`,
  later: svg`<path d="M12 20.5a8 8 0 1 1 8-8M12 8v4.5l-2.5 1.5M17 15.5v5M19.8 15.5v5"/>`,
  share: svg`<path d="M12 15V4M8 7.5 12 3.5l4 4M6 11.5H5v8.5h14v-8.5h-1"/>`,
  phone: svg`<path d="M6.8 4h2.4l1.6 4.2-2 1.5a11.5 11.5 0 0 0 5.5 5.5l1.5-2 4.2 1.6v2.4a2.3 2.3 0 0 1-2.5 2.3A15.5 15.5 0 0 1 4.5 6.5 2.3 2.3 0 0 1 6.8 4Z"/>`,
});
