/** Markdown: its files and how it is parsed. */
import { comment } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const MARKDOWN = {
  endings: "md mdx",
  rareEndings: "markdown mdown mkd",
  fileNames: "readme changelog",
  content: "prose",
  highlighting: {
    comments: ["^#{1,6} .*"],
    strings: ["`[^`]*`"],
    blocks: [comment("<!--", "-->"), { begin: "```", end: "```", role: "string" }],
    keywords: "",
  },
  parsing: {
    kind: "outline",
    load: async () => (await import("./syntax.ts")).MARKDOWN_OUTLINER,
    sample: { text: "# Greeting\n\nHello.\n", finds: "Greeting" },
  },
} satisfies Language;
