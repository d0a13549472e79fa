/** JSON: its files, its words, and where its grammar comes from. */
import { BRACES, SETTING_WORDS } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const JSON_DATA = {
  endings: "json jsonc json5 ipynb",
  rareEndings: "jsonl ndjson geojson webmanifest map",
  fileNames: ".babelrc .eslintrc .prettierrc .swcrc .jshintrc composer.lock",
  content: "data",
  highlighting: { ...BRACES, keywords: SETTING_WORDS },
  parsing: {
    kind: "grammar",
    wasm: "tree-sitter-json/tree-sitter-json.wasm",
    load: async () => (await import("./syntax.ts")).JSON_GRAMMAR,
    sample: { text: '{\n  "greeting": { "text": "hello" }\n}\n', finds: "greeting" },
  },
} satisfies Language;
