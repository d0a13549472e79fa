/** CSS: its files, its words, and where its grammar comes from. */
import { STYLES } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const CSS = {
  endings: "css",
  rareEndings: "pcss",
  content: "styles",
  highlighting: { ...STYLES, keywords: "important media import supports font-face keyframes" },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-css.wasm",
    load: async () => (await import("./syntax.ts")).CSS_GRAMMAR,
    sample: { text: ".greeting {\n  color: red;\n}\n", finds: ".greeting" },
  },
} satisfies Language;
