/**
 * Removes the macros from C and C++ that a grammar cannot parse.
 *
 * Macros are recognized by their form only, because cra does not compile: words in capitals where no name is possible
 * (`class FMT_API buffer {`, `Q_OBJECT` alone on a line, `EXPORT int f();`). Blanks replace them, so that offsets stay the
 * same. Linear: every rule matches within one line, and long lines are skipped.
 */
import { uneven } from "./conditions.ts";
import { blank, type CLine, readLines } from "./lines.ts";

/** Longer lines are data. */
const LINE_MAX = 1_000;

const MACRO = "[A-Z][A-Z0-9_]{2,}";
const ARGUMENTS = "\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)";
const KEYWORDS =
  "static|inline|extern|constexpr|consteval|virtual|explicit|friend|void|int|bool|char|unsigned|signed|long|short|float|double|auto|struct|class|enum|union|template|typename|using|typedef";

const NO_TYPE =
  "static|inline|extern|constexpr|consteval|virtual|explicit|friend|struct|class|enum|union|typename|using|typedef|const|return|else|case|goto|new|delete|throw";

const ALONE = new RegExp(`^[ \\t]*(${MACRO})(${ARGUMENTS})?[ \\t\\r]*(?:/[/*].*)?$`);
/** A macro for `public:`, and Qt's additions to it. */
const SECTION = new RegExp(
  `^([ \\t]*(?:(?:public|protected|private)[ \\t]+)?)((?:${MACRO}|slots|signals)[ \\t]*)(?=:[ \\t\\r]*(?:/[/*].*)?$)`,
);

/** `class MACRO name {`; the brace may be on the next line. */
const BEFORE_CLASS = new RegExp(
  `\\b(class|struct|union|enum(?:\\s+(?:class|struct))?)(\\s+(?:${MACRO}(?:${ARGUMENTS})?\\s+)+)(?=[A-Za-z_]\\w*(?:::\\w+)*\\s*(?:final\\b\\s*)?(?:<[^;{}()]*>\\s*)?(?:\\{|:(?!:)|\\r?$))`,
  "g",
);
const FORWARD_CLASS = new RegExp(`\\bclass(\\s+${MACRO}\\s+)(?=\\w+\\s*;)`, "g");
const BEFORE_KEYWORD = new RegExp(`\\b(${MACRO}(?:\\s*${ARGUMENTS})?)(?=\\s+(?:${KEYWORDS})\\b)`, "g");
/** `MACRO type name`, `MACRO type* name`, `MACRO ~name`. */
const BEFORE_TYPE = new RegExp(
  `^([ \\t]*(?:(?:static|inline|extern|virtual|constexpr|explicit|friend)\\s+)*)(${MACRO}(?:${ARGUMENTS})?)(?=\\s+(?:~|[A-Za-z_]\\w*(?:::\\w+)*(?:<[^;(){}]*>)?(?:\\s*[*&]+\\s*|\\s+)(?!${MACRO}\\b)[A-Za-z_]))`,
);

/** `int MACRO name(`, if the word before is a type. */
const BEFORE_NAME = new RegExp(
  `(^|[\\s*&])((?!(?:${NO_TYPE})\\b)[A-Za-z_]\\w*[ \\t*&]*[ \\t*&])(${MACRO})(?=[ \\t]+[A-Za-z_]\\w*[ \\t]*\\()`,
  "g",
);
/** Macros whose meaning is clear from their name, between two names and after a parameter. */
const SPECIFIER =
  "(?:[A-Z0-9]+_)*(?:CONSTEXPR|CONSTEVAL|CONSTINIT|(?:ALWAYS_|NO|FORCE_?)?INLINE|API|EXPORT|EXTERN|NODISCARD|NORETURN|DEPRECATED|EXPLICIT|LIFETIMEBOUND|BUILTIN|UNUSED|HOST_DEVICE|DEVICE)[A-Z0-9_]*";
const BEFORE_WORD = new RegExp(`\\b${SPECIFIER}(?=[ \\t]+[A-Za-z_~:[])`, "g");
const BEHIND_PARAMETER = new RegExp(`(?<=\\w[ \\t]+)${SPECIFIER}(?=[ \\t]*[,)])`, "g");
/** `JSON_TRY {`, `JSON_CATCH (std::exception& e) {`, without which blocks remain. */
const TRY = /(?<=^[ \t}]*)[A-Z][A-Z0-9_]*_TRY(?=[ \t\r]*(?:\{|$))/;
const CATCH = new RegExp(`(?<=^[ \\t}]*)[A-Z][A-Z0-9_]*_CATCH(?:_ALL)?[ \\t]*${ARGUMENTS}(?=[ \\t\\r]*(?:\\{|$))`);
const CONSTANT_IF = new RegExp(`\\bif[ \\t]+${MACRO}(?=[ \\t]*\\()`, "g");
/** `template <class T, REQUIRES(...)>`: a parameter without a name. */
const TEMPLATE_PARAMETER = new RegExp(`(?<=(?:^|[,<])[ \\t]*)${MACRO}${ARGUMENTS}(?=>)`, "g");

/** `MACRO(Type, name)` before a body: its arguments are not parameters. */
const HEAD = new RegExp(
  `^(${MACRO}[ \\t]*\\()((?:[^()"]|"(?:[^"\\\\]|\\\\.)*"|\\([^()]*\\))+)(\\)[ \\t\\r]*(?:\\{|$))`,
);

/** A text of the same length that the grammars parse best. */
export function withoutMacros(text: string): string {
  const lines = readLines(text);
  const gone = uneven(lines);
  const oldStyle = oldStyleParameters(lines);
  const { before, after } = neighboursOf(lines);
  return lines
    .map((line, index) => {
      if (gone(index) || oldStyle.has(index)) return blank(line.text);
      if (line.directive || line.text.length > LINE_MAX || !/[A-Z][A-Z0-9_]{2}/.test(line.text)) return line.text;
      const next = after[index] ?? "";
      if (isAlone(line.text, before[index] ?? "", next)) return blank(line.text);
      return withOneArgument(
        withoutTrailing(withoutWords(line.text), (lines[index - 1]?.text ?? "").slice(0, LINE_MAX), next),
        next,
      );
    })
    .join("\n");
}

function withoutWords(text: string): string {
  const section = SECTION.exec(text);
  if (section !== null)
    return (section[1] ?? "").trim() === ""
      ? blank(text)
      : text.replace(SECTION, (_, word: string, more: string) => word + blank(more));
  return text
    .replace(BEFORE_CLASS, (_, keyword: string, macros: string) => keyword + blank(macros))
    .replace(FORWARD_CLASS, (words, macro: string) => words.replace(macro, blank(macro)))
    .replace(BEFORE_KEYWORD, blank)
    .replace(BEFORE_WORD, blank)
    .replace(BEHIND_PARAMETER, blank)
    .replace(TRY, blank)
    .replace(CATCH, blank)
    .replace(CONSTANT_IF, (words) => `if${blank(words.slice(2))}`)
    .replace(TEMPLATE_PARAMETER, (words) => "int".padEnd(words.length))
    .replace(BEFORE_NAME, (_, start: string, type: string, macro: string) => start + type + blank(macro))
    .replace(BEFORE_TYPE, (_, before: string, macro: string) => before + blank(macro));
}

const TRAILING = new RegExp(
  `[ \\t](${MACRO}(?:[ \\t]*${ARGUMENTS})?)(?=[ \\t]*(?:[;={]|:(?!:)|$|//|/\\*|(?:override|final|const|noexcept|${MACRO})\\b))`,
  "g",
);
const STATEMENT = /^[ \t}]*(?:if|else|for|while|switch|do|return|case|goto|throw|delete|new|typedef|using|#)\b/;
/** `type name(` or `Class(`, with all parts of the type. */
const DECLARES_FUNCTION = /^[ \t]*(?:[\w:<>,~[\]]+[ \t*&]+)*(?:[\w:]+::)?(?:operator[^\w\s]+|~?[A-Za-z_]\w*)[ \t]*\(/;
const DECLARES_MEMBER = /^[ \t]*(?:[\w:<>,]+[ \t*&]+)+[a-z_]\w*(?:\[\w*\])?$/;
const PRIMITIVE =
  /\b(?:void|int|bool|char|unsigned|signed|long|short|float|double|auto|const|static|inline|extern|struct|enum|union|class)$/;

/** Removes macros after a declaration: `void f() REQUIRES(mutex);`, `int count GUARDED_BY(mutex);`. */
function withoutTrailing(text: string, above: string, next: string): string {
  if (STATEMENT.test(text)) return text;
  return text.replace(TRAILING, (words, macro: string, at: number) => {
    const before = text.slice(0, at).trimEnd();
    const behind = text
      .slice(at + words.length)
      .trimStart()
      .charAt(0);
    const closed = withoutQualifiers(before);
    const declared =
      closed === ""
        ? behind !== "" && (isFunction(above) ? /\)[ \t\r]*(?:const[ \t\r]*)?$/ : /[a-z]\w*_[ \t\r]*$/).test(above)
        : closed.endsWith(")")
          ? isFunction(text) && (behind !== "" || next === "{" || next === ":")
          : macro.includes("(") && behind !== ":" && DECLARES_MEMBER.test(before) && !PRIMITIVE.test(before);
    return declared ? blank(words) : words;
  });
}

const QUALIFIER = new RegExp(`^(?:const|noexcept|override|final|${MACRO})$`);

/** Removes the qualifiers and macros at the end of a text, word by word, which is linear. */
function withoutQualifiers(text: string): string {
  for (let end = text.length; ; ) {
    while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
    let start = end;
    while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
    if (start === end || !QUALIFIER.test(text.slice(start, end))) return text.slice(0, end);
    end = start;
  }
}

/** Whether a line starts like the declaration of a function: with a type and a name, or with the name of a class. */
function isFunction(text: string): boolean {
  const head = DECLARES_FUNCTION.exec(text)?.[0].trim();
  return (
    head !== undefined && !STATEMENT.test(text) && (/[\s~]|::|^[A-Z][a-z]/.test(head) || /^[a-z]\w*\($/.test(head))
  );
}

/** Joins the arguments of a macro that defines a function into one word, which both grammars can parse. */
function withOneArgument(text: string, next: string): string {
  return text.replace(HEAD, (words, before: string, inside: string, end: string) =>
    !/^\s*[\w:]*\s*$/.test(inside) && (end.includes("{") || next === "{")
      ? before + inside.replace(/\W/g, "_") + end
      : words,
  );
}

/** A macro alone on its line that is not an enumerator, a part of an expression, or a definition. */
function isAlone(text: string, before: string, after: string): boolean {
  const found = ALONE.exec(text);
  if (found === null) return false;
  const called = found[2] !== undefined;
  if (before === "," || !["", "#", ";", "{", FIELDS, "}", ":", ")", ">"].includes(before)) return false;
  if (after === "}") return before === ";" || before === "}" || before === FIELDS;
  if (after === "{") return before === ")" && !called;
  return after === "" || /[\w#~[]/.test(after);
}

/** Stands for the brace that opens a struct, in which a macro on its own line is no enumerator. */
const FIELDS = "struct {";
const OPENS_FIELDS = /^[ \t]*(?:typedef[ \t]+)?(?:struct|union)(?:[ \t]+\w+)?[ \t]*\{[ \t\r]*(?:\/[/*].*)?$/;

/** The last character of code before each line, and the first after it; skips empty lines and macros. */
type Neighbours = { readonly before: readonly string[]; readonly after: readonly string[] };

function neighboursOf(lines: readonly CLine[]): Neighbours {
  const passed = lines.map(({ text, first }) => first === "" || ALONE.test(text.slice(0, LINE_MAX)));
  const before: string[] = [];
  const after: string[] = new Array(lines.length);
  let sign = "";
  lines.forEach(({ last, text }, index) => {
    before.push(sign);
    if (passed[index] !== true) sign = last === "{" && OPENS_FIELDS.test(text.slice(0, LINE_MAX)) ? FIELDS : last;
  });
  sign = "";
  for (let index = lines.length - 1; index >= 0; index--) {
    after[index] = sign;
    if (passed[index] !== true) sign = lines[index]?.first ?? "";
  }
  return { before, after };
}

const DECLARES = /^[ \t]*(?:[A-Za-z_]\w*[ \t]+|[A-Za-z_]\w*[ \t]*(?=\*))[\w \t*,[\]()]*;[ \t\r]*(?:\/[/*].*)?$/;
const NAMES_ONLY = /\([ \t]*[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)*[ \t]*\)[ \t\r]*(?:\/[/*].*)?$/;
const PARAMETERS_MAX = 30;

/** The lines that declare parameters between the head of a K&R function (`f(a, b)`) and its body. */
function oldStyleParameters(lines: readonly CLine[]): ReadonlySet<number> {
  const found = new Set<number>();
  lines.forEach(({ text }, body) => {
    if (!text.startsWith("{")) return;
    let at = body - 1;
    const is = (pattern: RegExp): boolean => pattern.test((lines[at]?.text ?? "").slice(0, LINE_MAX));
    while (at > body - PARAMETERS_MAX && at >= 0 && is(DECLARES)) at -= 1;
    if (at === body - 1 || !is(NAMES_ONLY)) return;
    for (let each = at + 1; each < body; each++) found.add(each);
  });
  return found;
}

const CAST = /\boperator[ \t]+(?!new\b|delete\b|co_await\b)[A-Za-z_:][\w:<>,*& \t]{0,120}?(?=[ \t]*\([ \t]*\))/g;

/** C++ with conversion operators (`operator const T*()`) joined into one word, like other function names. */
export const withoutCasts = (text: string): string => text.replace(CAST, (words) => words.replace(/\W/g, "_"));
