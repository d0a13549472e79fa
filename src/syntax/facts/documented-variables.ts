/** The type that a comment gives to a variable: `@var Cart $cart` in PHP. */
import type { Span } from "../../text/lines.ts";
import { type SourceText, textOf } from "./source-text.ts";

/** One type, or one beside `null`. By convention, only names of classes start with a capital. */
const DOCUMENTED =
  /@var\s{1,20}(?:null\||\?)?((?:[\w\\]{0,200}\\)?[A-Z]\w{0,200})(?:<[^<>\n]{0,200}>)?(?:\|null)?\s{1,20}(\$(?!this\b)\w{1,100})/d;

/** How far after the comment its variable is looked for, in characters. */
const DISTANCE_MAX = 200;

/** The place of the variable in the code after the comment, and that of its type in the comment. */
export function documentedVariable(
  source: SourceText,
  comment: Span,
): { readonly local: Span; readonly type: Span } | null {
  const documented = DOCUMENTED.exec(textOf(source, comment));
  const [type, name] = [documented?.indices?.[1], documented?.[2]];
  if (type === undefined || name === undefined) return null;
  const after = source.code.slice(comment.end, comment.end + DISTANCE_MAX);
  const at = after.search(new RegExp(`${RegExp.escape(name)}(?!\\w)`));
  if (at < 0) return null;
  const start = comment.end + at;
  return {
    local: { start, end: start + name.length },
    type: { start: comment.start + type[0], end: comment.start + type[1] },
  };
}
