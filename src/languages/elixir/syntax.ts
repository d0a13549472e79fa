/** Elixir, where attributes document what follows them. */
import wasm from "../../../dist/grammars/tree-sitter-elixir.wasm.zst" with { type: "file" };
import comments from "../../../grammars/elixir/comments.scm" with { type: "text" };
import symbols from "../../../grammars/elixir/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const ELIXIR: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docstrings: true,
    isPrivate: (_, signature) => /^(?:def(?:macro|guard|n)?p|@typep)\b/.test(signature),
  },
};
