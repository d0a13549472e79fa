/** YAML: its files, its words, and where its grammar comes from. */
import { SETTING_WORDS, SHELL } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const YAML = {
  endings: "yml yaml",
  fileNames: ".clang-format .clang-tidy .yamllint",
  content: "data",
  highlighting: { ...SHELL, keywords: SETTING_WORDS },
  parsing: {
    kind: "grammar",
    wasm: "@tree-sitter-grammars/tree-sitter-yaml/tree-sitter-yaml.wasm",
    load: async () => (await import("./syntax.ts")).YAML_GRAMMAR,
    sample: { text: "greeting:\n  text: hello\n", finds: "greeting" },
  },
} satisfies Language;
