/**
 * Separates the code of a TypeScript file from its comments and strings, for rules that search text.
 *
 * Not a parser: it knows comments, strings, templates with `${}` and regular expressions, the latter by the token
 * before the slash. Blanked text keeps positions and line breaks.
 */

export type Lexed = {
  /** The text without comments and without the content of strings, templates and regular expressions. */
  readonly code: string;
  /** The text with everything but comments blanked. */
  readonly comments: string;
};

const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`|[{}]|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** A slash after one of these starts a regular expression; after anything else it divides or ends a JSX tag. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%~^]|=>|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

const known = new Map<string, Lexed>();

/** Caches results by text. */
export function lex(text: string): Lexed {
  const lexed = known.get(text) ?? takeApart(text);
  known.set(text, lexed);
  return lexed;
}

function takeApart(text: string): Lexed {
  const code = blank(text).split("");
  const comments = [...code];
  const copy = (to: string[], from: number, end: number): void => {
    for (let at = from; at < end; at += 1) to[at] = text.charAt(at);
  };
  /** One entry per open template: the number of open braces inside its `${`. */
  const templates: number[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const start = match?.index ?? text.length;
    copy(code, at, start);
    if (match === null) break;
    const token = match[0];
    at = start + token.length;
    const first = token.charAt(0);
    if (token.startsWith("/*") || token.startsWith("//")) copy(comments, start, at);
    else if (first === '"' || first === "'") quoted(code, start, at, first);
    else if (first === "/" && !BEFORE_REGEX.test(code.slice(Math.max(0, start - 40), start).join(""))) {
      copy(code, start, start + 1);
      at = start + 1;
    } else if (first === "`") at = template(start + 1);
    else if (first === "{" || first === "}") {
      const open = templates.pop();
      if (first === "}" && open === 0) {
        at = template(at);
        continue;
      }
      copy(code, start, at);
      if (open !== undefined) templates.push(open + (first === "{" ? 1 : -1));
    }
  }
  return { code: code.join(""), comments: comments.join("") };

  /** Skips template text from `from` to the end of the template or to the code after the next `${`. */
  function template(from: number): number {
    for (let here = from; here < text.length; here += 1) {
      if (text[here] === "\\") here += 1;
      else if (text[here] === "`") return here + 1;
      else if (text.startsWith("${", here)) {
        templates.push(0);
        return here + 2;
      }
    }
    return text.length;
  }
}

function quoted(code: string[], start: number, end: number, quote: string): void {
  code[start] = quote;
  code[end - 1] = quote;
}

const blank = (text: string): string => text.replace(/[^\n]+/g, (line) => " ".repeat(line.length));
