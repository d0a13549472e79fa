/**
 * Types read off one-line signatures: what a parameter, a variable or a call's result is declared as.
 *
 * Reading text, not a type checker: the answer is the first class-like name of an annotation or of a
 * constructor call (`app = Flask(...)`, `x: Optional["Flask"]`, `new Hono()`), with wrappers peeled off.
 * Callers treat it as a guess, with a lower confidence. Every function is linear in the signature,
 * which is at most 400 characters long.
 */

/** Types that stand around the one that has the members. */
const WRAPPERS: ReadonlySet<string> = new Set(
  `Optional Union Type type ClassVar Final Annotated Awaitable Coroutine Promise PromiseLike Readonly Partial Required
   NonNullable NotRequired typing t readonly keyof typeof`.split(/\s+/),
);

/** Names that say that there may be nothing. */
const EMPTY_TYPES: ReadonlySet<string> = new Set(["None", "null", "undefined", "void", "NoneType"]);

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** The first dotted name in a type's text that is neither a wrapper nor empty, or null. */
export function typeName(text: string): string | null {
  for (const [name] of text.slice(0, 120).matchAll(NAME)) {
    const last = name.slice(name.lastIndexOf(".") + 1);
    if (!WRAPPERS.has(last) && !EMPTY_TYPES.has(last)) return name;
  }
  return null;
}

/**
 * What a function's signature says of a name: undefined when it is no parameter, null when it is one
 * without a type, else the type's name.
 */
export function parameterType(signature: string, name: string): string | null | undefined {
  const open = signature.indexOf("(");
  if (open < 0) return undefined;
  for (let at = signature.indexOf(name, open + 1); at >= 0; at = signature.indexOf(name, at + name.length)) {
    if (isWord(signature[at - 1]) || isWord(signature[at + name.length])) continue;
    const before = signature.slice(open, at).trimEnd().at(-1) ?? "";
    const after = signature.slice(at + name.length).trimStart();
    if (!"(,*{[.".includes(before) || !/^[:,)=?}]/.test(after)) continue;
    const type = /^\??\s*:(.*)$/s.exec(after)?.[1];
    return type === undefined ? null : typeName(upToComma(type));
  }
  return undefined;
}

/** The type of a variable or property: its annotation, or the class whose constructor gives its value; or null. */
export function declaredType(signature: string, name: string): string | null {
  const at = signature.indexOf(name);
  const rest = at < 0 ? "" : signature.slice(at + name.length).trimStart();
  const annotation = /^[?!]?\s*:([^=]*)/.exec(rest)?.[1];
  if (annotation !== undefined) return typeName(annotation);
  return /^=\s*(?:await\s+)?(?:new\s+)?([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?:<[^()]*>)?\(/u.exec(rest)?.[1] ?? null;
}

/** The type that a function's signature says it returns, or null. */
export function returnType(signature: string): string | null {
  const text = /->\s*(.+)$/s.exec(signature)?.[1] ?? /\)\s*:\s*([^{]+?)(?:=>|\{|$)/s.exec(signature)?.[1];
  return text === undefined ? null : typeName(text);
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);

/** A parameter's type ends at the first comma or bracket that is not inside brackets of its own. */
function upToComma(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ("([{<".includes(char)) depth++;
    else if (")]}>".includes(char) && depth-- === 0) return text.slice(0, at);
    else if ((char === "," || char === "=") && depth === 0) return text.slice(0, at);
  }
  return text;
}
