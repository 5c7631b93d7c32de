// The icons of one's own pages.

import { addIcons } from "../core/icons.js";
import { svg } from "../core/view.js";

addIcons({
  edit: svg`<path d="m4.5 19.5.9-4L16 4.9a2 2 0 0 1 2.9 0l.2.2a2 2 0 0 1 0 2.9L8.5 18.6l-4 .9Z"/>`,
  globe: svg`<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17"/>`,
  moon: svg`<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z"/>`,
  shield: svg`<path d="M12 3.5 5 6v6c0 4 2.8 7 7 8.5 4.2-1.5 7-4.5 7-8.5V6l-7-2.5Z"/>`,
  leave: svg`<path d="M10 4.5H5.5v15H10M15 8l4 4-4 4M19 12H9.5"/>`,
  swap: svg`<path d="M4 8.5h14.5L15 5M20 15.5H5.5L9 19"/>`,
});
