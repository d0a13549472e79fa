/**
 * What the only parameter of a nameless function holds if the function is the first argument of a call: `@forEach` of `carts` in
 * `carts.forEach(cart -> …)`. What that gives, if anything, depends on the type of `carts`.
 */
import type { Span } from "../../text/lines.ts";
import { chainBefore } from "./chain-before.ts";

/** Where the object of the call is, and the step from it to the parameter, as in qualifiers. */
type Given = { readonly span: Span; readonly step: string };

const ALONE_BEFORE = /^(?:move\s*)?[({|]?\s*$/;
const ALONE_AFTER = /^\s*(?:[-=]>|[)|])/;
/** A block is an argument without brackets: `carts.forEach { cart -> … }`. */
const CALL = /([\p{L}_][\p{L}\p{N}_]{0,80})(?:\s{0,80}[({])?$/u;

/** How far around the function its call and the end of its parameters are looked for, in characters. */
const BEFORE_MAX = 80;
const AFTER_MAX = 16;

/** `name` is the parameter, `around` the function. One without a name is the only one, and begins the function. */
export function givenTo(text: string, name: Span, around: Span): Given | null {
  const isAlone =
    name.start === name.end ||
    (ALONE_BEFORE.test(text.slice(around.start, name.start)) &&
      ALONE_AFTER.test(text.slice(name.end, name.end + AFTER_MAX)));
  const from = Math.max(0, around.start - BEFORE_MAX);
  const call = isAlone ? CALL.exec(text.slice(from, around.start).trimEnd()) : null;
  const span = call === null ? null : chainBefore(text, from + call.index);
  return call === null || span === null ? null : { span, step: `.@${call[1]}` };
}
