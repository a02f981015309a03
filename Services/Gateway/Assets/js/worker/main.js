// The service worker, put together: one file for each thing that it does. It keeps no page and no answer that is anybody's.

import "./shell.js";
import "./outbox.js";
import "./push.js";
