/**
 * C and C++ as the grammars can read it: without macros that stand where the language knows no word.
 *
 * Nothing can be known of a macro without compiling, so it goes by how they are written: words in capitals in places
 * where no name can stand (`class FMT_API buffer {`, `Q_OBJECT` alone on a line, `EXPORT int f();`). What is taken
 * away becomes blank, so that places stay what they are. Linear: every rule looks at one line, and long lines are left.
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
/** A macro for `public:`, and what Qt adds to it. */
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

/** `int MACRO name(`, where the word before is a type. */
const BEFORE_NAME = new RegExp(
  `(^|[\\s*&])((?!(?:${NO_TYPE})\\b)[A-Za-z_]\\w*[ \\t*&]*[ \\t*&])(${MACRO})(?=[ \\t]+[A-Za-z_]\\w*[ \\t]*\\()`,
  "g",
);
/** Words that say what they are, wherever two names cannot follow each other, and behind a parameter. */
const SPECIFIER =
  "(?:[A-Z0-9]+_)*(?:CONSTEXPR|CONSTEVAL|CONSTINIT|(?:ALWAYS_|NO|FORCE_?)?INLINE|API|EXPORT|EXTERN|NODISCARD|NORETURN|DEPRECATED|EXPLICIT|LIFETIMEBOUND|BUILTIN|UNUSED|HOST_DEVICE|DEVICE)[A-Z0-9_]*";
const BEFORE_WORD = new RegExp(`\\b${SPECIFIER}(?=[ \\t]+[A-Za-z_~:[])`, "g");
const BEHIND_PARAMETER = new RegExp(`(?<=\\w[ \\t]+)${SPECIFIER}(?=[ \\t]*[,)])`, "g");
const CONSTANT_IF = new RegExp(`\\bif[ \\t]+${MACRO}(?=[ \\t]*\\()`, "g");
/** `template <class T, REQUIRES(...)>`: a parameter without a name. */
const TEMPLATE_PARAMETER = new RegExp(`(?<=(?:^|[,<])[ \\t]*)${MACRO}${ARGUMENTS}(?=>)`, "g");

/** `TEST(Suite, name)` before a body: the arguments are no parameters. */
const HEAD = new RegExp(
  `^(${MACRO}[ \\t]*\\()((?:[^()"]|"(?:[^"\\\\]|\\\\.)*"|\\([^()]*\\))+)(\\)[ \\t\\r]*(?:\\{|$))`,
);

/** The text as a grammar reads it best, of the same length. */
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
      return withOneArgument(withoutTrailing(withoutWords(line.text), lines[index - 1]?.text ?? "", next), next);
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
/** `type name(` or `Class(`, with whatever is a part of the type. */
const DECLARES_FUNCTION = /^[ \t]*(?:[\w:<>,~[\]]+[ \t*&]+)*(?:[\w:]+::)?(?:operator[^\w\s]+|~?[A-Za-z_]\w*)[ \t]*\(/;
const DECLARES_MEMBER = /^[ \t]*(?:[\w:<>,]+[ \t*&]+)+[a-z_]\w*(?:\[\w*\])?$/;
const PRIMITIVE =
  /\b(?:void|int|bool|char|unsigned|signed|long|short|float|double|auto|const|static|inline|extern|struct|enum|union|class)$/;

/** Without the macros behind a declaration: `void f() REQUIRES(mutex);`, `int count GUARDED_BY(mutex);`. */
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

/** Without the qualifiers and macros that a text ends with; word by word from its end, which is linear. */
function withoutQualifiers(text: string): string {
  for (let end = text.length; ; ) {
    while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
    let start = end;
    while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
    if (start === end || !QUALIFIER.test(text.slice(start, end))) return text.slice(0, end);
    end = start;
  }
}

/** Whether a line begins as the declaration of a function does: a type and a name, or the name of a class. */
function isFunction(text: string): boolean {
  const head = DECLARES_FUNCTION.exec(text)?.[0].trim();
  return (
    head !== undefined && !STATEMENT.test(text) && (/[\s~]|::|^[A-Z][a-z]/.test(head) || /^[a-z]\w*\($/.test(head))
  );
}

/** The head of a function that a macro makes: its arguments become one word, which both grammars can read. */
function withOneArgument(text: string, next: string): string {
  return text.replace(HEAD, (words, before: string, inside: string, end: string) =>
    end.includes("{") || next === "{" ? before + inside.replace(/\W/g, "_") + end : words,
  );
}

/** A macro that is a line of its own and neither an enumerator, nor a part of an expression, nor a definition. */
function isAlone(text: string, before: string, after: string): boolean {
  const found = ALONE.exec(text);
  if (found === null) return false;
  const called = found[2] !== undefined;
  if (before === "," || !["", "#", ";", "{", "}", ":", ")", ">"].includes(before)) return false;
  if (after === "}") return before === ";" || before === "}";
  if (after === "{") return before === ")" && !called;
  return after === "" || /[\w#~[]/.test(after);
}

/** How the code before each line ends, and how the code after it begins; empty lines and macros are passed over. */
type Neighbours = { readonly before: readonly string[]; readonly after: readonly string[] };

function neighboursOf(lines: readonly CLine[]): Neighbours {
  const passed = lines.map(({ text, first }) => first === "" || ALONE.test(text.slice(0, LINE_MAX)));
  const before: string[] = [];
  const after: string[] = new Array(lines.length);
  let sign = "";
  lines.forEach(({ last }, index) => {
    before.push(sign);
    if (passed[index] !== true) sign = last;
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

/** The lines that declare parameters between a head of the oldest style (`f(a, b)`) and its body. */
function oldStyleParameters(lines: readonly CLine[]): ReadonlySet<number> {
  const found = new Set<number>();
  lines.forEach(({ text }, body) => {
    if (!text.startsWith("{")) return;
    let at = body - 1;
    while (at > body - PARAMETERS_MAX && at >= 0 && DECLARES.test(lines[at]?.text ?? "")) at -= 1;
    if (at === body - 1 || !NAMES_ONLY.test(lines[at]?.text ?? "")) return;
    for (let each = at + 1; each < body; each++) found.add(each);
  });
  return found;
}

const CAST = /\boperator[ \t]+(?!new\b|delete\b|co_await\b)[A-Za-z_:][\w:<>,*& \t]{0,120}?(?=[ \t]*\([ \t]*\))/g;

/** C++ without conversion operators: `operator const T*()` becomes one word, as other names of functions are. */
export const withoutCasts = (text: string): string => text.replace(CAST, (words) => words.replace(/\W/g, "_"));
