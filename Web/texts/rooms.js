// The two screens that are opened all the time, in one file.

import "./conversation.js";
import "./list.js";
