/** Svelte components: their script blocks, of the module and of the instance, are JavaScript or TypeScript. */

import { readMarkup } from "./component-markup.ts";
import type { Embedding } from "./language.ts";

export const SVELTE: Embedding = { kind: "embedding", read: readMarkup };
