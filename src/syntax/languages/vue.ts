/** Vue components: their script blocks are JavaScript or TypeScript. */
import type { Embedding } from "../language.ts";
import { readMarkup } from "./component-markup.ts";

export const VUE: Embedding = { kind: "embedding", read: readMarkup };
