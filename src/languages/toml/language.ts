/** TOML: its files, its words, and where its grammar comes from. */
import { SETTING_WORDS, SHELL } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const TOML = {
  endings: "toml",
  fileNames: "pipfile cargo.lock poetry.lock uv.lock",
  content: "data",
  highlighting: { ...SHELL, keywords: SETTING_WORDS },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm",
    load: async () => (await import("./syntax.ts")).TOML_GRAMMAR,
    sample: { text: '[greeting]\ntext = "hello"\n', finds: "greeting" },
  },
} satisfies Language;
