/** Solidity, whose documentation is NatSpec. */
import wasm from "../../../dist/grammars/tree-sitter-solidity.wasm.zst" with { type: "file" };
import comments from "../../../grammars/solidity/comments.scm" with { type: "text" };
import symbols from "../../../grammars/solidity/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { PLAIN_STYLE } from "./style.ts";

export const SOLIDITY: Grammar = {
  kind: "grammar",
  wasm,
  queries: { symbols: [symbols], imports: [], references: [], comments: [comments] },
  style: {
    ...PLAIN_STYLE,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    isPrivate: (_, signature) => /\bprivate\b/.test(signature),
  },
};
