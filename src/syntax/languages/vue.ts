/** Vue components: their script blocks are JavaScript or TypeScript. */

import { readMarkup } from "./component-markup.ts";
import type { Embedding } from "./language.ts";

export const VUE: Embedding = { kind: "embedding", read: readMarkup };
