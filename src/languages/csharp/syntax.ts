/** C#, where modifiers declare visibility and the preprocessor can cut a definition in half. */
import wasm from "../../../dist/grammars/tree-sitter-c-sharp.wasm.zst" with { type: "file" };
import type { SymbolKind } from "../../text/terms/segments.ts";
import { blanked, withoutHalves } from "../conditional-code.ts";
import { COMMENTS, type Grammar, PLAIN_STYLE } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };

export const CSHARP_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols, imports, references, comments: COMMENTS },
  style: {
    ...PLAIN_STYLE,
    docComment: /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/,
    dots: /::/g,
    isPrivate,
    mend: (text) => withoutHalves(withoutScriptLines(text), { isWhole, keepWhole: true }),
  },
};

/** Recognizes complete members and statements, which the grammar accepts between directives. */
const isWhole = (code: string, before: string): boolean =>
  !/(?:=>|[=,(?:&|+])$/.test(before) &&
  /(?:^|[;}]|"")$/.test(code) &&
  !/^(?:else|catch|finally|case|default|[.,:;?|&)=+{])/.test(code);

/** Removes the lines at the top of a single-file program: `#:package A@1.0.0`, `#!/usr/bin/env dotnet`. */
function withoutScriptLines(text: string): string {
  const head = /^(?:#[:!].*\n|\r?\n)*/.exec(text)?.[0] ?? "";
  return blanked(text, [{ start: 0, end: head.length }]);
}

/** Members of interfaces and enums are public by default; top-level types are visible in the whole project. */
function isPrivate(_: string, signature: string, around: SymbolKind | null): boolean {
  if (around === "enum") return false;
  if (around === "interface") return /^(?:\w+ )*(?:private|protected)\b/.test(signature);
  if (around === null)
    return !/^(?!(?:\w+ )*file )(?:\w+ )*(?:class|struct|record|interface|enum|delegate)\b/.test(signature);
  return !/^(?!(?:\w+ )*private )(?:\w+ )*(?:public|internal)\b/.test(signature);
}
