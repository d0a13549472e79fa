/** C++, as it is before the preprocessor. */
import wasm from "../../../dist/grammars/tree-sitter-cpp.wasm.zst" with { type: "file" };
import { blank, type Span } from "../../text/lines.ts";
import includes from "../c/imports.scm" with { type: "text" };
import { withoutCasts } from "../c/macros.ts";
import { C_GRAMMAR } from "../c/syntax.ts";
import { COMMENTS, type Grammar } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };
import tests from "./tests.scm" with { type: "text" };
import { withPlainTests } from "./tests.ts";

/** The value of a parameter without a name, which the grammar does not know behind a pointer: `void f(T* = nullptr)`. */
const NAMELESS_DEFAULT = /(?<=[*&])\s{1,20}=\s{0,20}(?:nullptr|NULL|0|\{\})(?=\s{0,20}[,)>])/g;

export const CPP_GRAMMAR: Grammar = {
  wasm,
  queries: { symbols: tests + symbols, imports: includes + imports, references, comments: COMMENTS },
  style: {
    ...C_GRAMMAR.style,
    dots: /::|->/g,
    clean: (text) => {
      const plain = withPlainTests(text);
      return withoutCommas(withoutCasts(C_GRAMMAR.style.clean?.(plain) ?? plain));
    },
    mend: (text) => text.replace(NAMELESS_DEFAULT, blank),
    ownerPath,
    bareName,
  },
};

/** `decltype(a.begin(), void())`: the grammar knows no list of expressions in it, but a sum. */
function withoutCommas(text: string): string {
  return text.replace(/(?<=\bdecltype\s?\()[^;{}]{0,600}/g, (inside) => {
    let depth = 0;
    let sum = "";
    for (let at = 0; at < inside.length; at += 1) {
      const char = inside.charAt(at);
      if (char === ")" && depth === 0) return sum + inside.slice(at);
      if ("(<[".includes(char)) depth += 1;
      else if (")]".includes(char) || (char === ">" && inside[at - 1] !== "-")) depth -= 1;
      sum += char === "," && depth === 0 ? "+" : char;
    }
    return inside;
  });
}

/** `a.B<T>` -> `a.B`, `.a` -> `a`; null if nothing remains, as for `::f`. */
function ownerPath(owner: string): string | null {
  let depth = 0;
  let path = "";
  for (const char of owner) {
    if (char === "<") depth += 1;
    else if (char === ">") depth = Math.max(0, depth - 1);
    else if (depth === 0) path += char;
  }
  return path.replace(/^\.+|\.+$/g, "") || null;
}

/** `a::B<T>::run<int>` -> `run`. The name of an operator includes everything after the keyword. */
function bareName(written: string): Span | null {
  if (/^~?\w+$/.test(written)) return { start: 0, end: written.length };
  const operator = /\boperator\b(?<=(?:^|::\s*)operator)/.exec(written)?.index;
  if (operator !== undefined) return { start: operator, end: written.length };
  if (/^[(*&]/.test(written)) return null;
  const end = withoutArguments(written);
  let depth = 0;
  for (let at = end; at > 0; at--) {
    const char = written[at - 1];
    if (char === ">") depth += 1;
    else if (char === "<") depth -= 1;
    else if (char === ":" && depth === 0) return { start: at + (/^\s*/.exec(written.slice(at))?.[0].length ?? 0), end };
  }
  // Arguments that the grammar cuts short: `a<T, b<c<T>::value>`.
  const open = written.indexOf("<");
  return { start: 0, end: open > 0 ? Math.min(open, end) : end };
}

/** The start of the template arguments at the end of a name, or the end of the name. */
function withoutArguments(written: string): number {
  if (!written.endsWith(">")) return written.length;
  let depth = 0;
  for (let at = written.length; at > 0; at--) {
    const char = written[at - 1];
    if (char === ">") depth += 1;
    else if (char === "<" && --depth === 0) return at - 1;
  }
  return written.length;
}
