/**
 * Finds where names are read that the parser does not report as references: constants, fields, and functions that are handed on.
 *
 * Comments and quoted texts hold no names. A function that assigns a name, or loops over it, has a variable of its own, which facts lack.
 */
import { type FileFacts, isContainerKind, type ReferenceFact } from "../../syntax/facts/facts.ts";
import { IDENTIFIER } from "../../text/terms/identifiers.ts";

/** Shorter names are ambiguous, and the rest of a longer line is not looked at. */
const NAME_MIN = 3;
const LINE_CHARS_MAX = 400;
/** Before a name, of which the rest of a path is looked for. */
const PATH_CHARS_MAX = 200;
/** Places of one file. */
const PLACES_MAX = 300;

const NAMES = new RegExp(IDENTIFIER, "gu");
const PLAIN_NAME = new RegExp(`^${IDENTIFIER}$`, "u");
const SEPARATOR = String.raw`(?:\?\.|!\.|\.|::|->)`;
/** What a name is taken of: `rates.`, `Rates::`, `this->`. */
const PATH_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_$@.:>])(${IDENTIFIER}(?:${SEPARATOR}${IDENTIFIER})*)${SEPARATOR}$`,
  "u",
);
const IS_MEMBER = /(?:[.@]|::|->)$/;
/** The key of a value, or a label; but not `case LIMIT:` or `x ? LIMIT : y`. */
const COLON_AFTER = /^\s?:(?!:)/;
const IS_VALUE = /\bcase\s[^:]*$|\?[^:]*$/;

/** The facts with a reference for each place that reads one of these names. In some languages, such as Python, no key is a plain name. */
export function withReads(
  facts: FileFacts,
  text: string,
  names: ReadonlySet<string>,
  hasPlainKeys: boolean,
): FileFacts {
  const wanted = new Set([...names].filter((name) => name.length >= NAME_MIN && PLAIN_NAME.test(name)));
  const mentions = new RegExp([...wanted].map((name) => name.replaceAll("$", String.raw`\$`)).join("|"), "u");
  if (wanted.size === 0 || !mentions.test(text)) return facts;
  const lines = codeLines(text, facts);
  const known = new Set(facts.references.map(keyOf));
  const importing = new Set(facts.imports.map(({ line }) => line));
  const isBound = boundNames(facts, lines);
  const reads: ReferenceFact[] = [];
  let places = 0;
  for (const [at, code] of lines.entries()) {
    const line = at + 1;
    if (places > PLACES_MAX || importing.has(line) || !mentions.test(code)) continue;
    for (const { 0: word, index } of code.matchAll(NAMES)) {
      const before = code.slice(Math.max(0, index - PATH_CHARS_MAX), index);
      // `Rates::$limit` of PHP reads the field `limit`.
      const name = word.startsWith("$") && before.endsWith("::") ? word.slice(1) : word;
      if (!wanted.has(name) || ++places > PLACES_MAX) continue;
      const isKey =
        hasPlainKeys &&
        COLON_AFTER.test(code.slice(index + word.length)) &&
        !IS_VALUE.test(before.replaceAll("::", "."));
      const [, path] = PATH_BEFORE.exec(before) ?? [];
      if (isKey || (path === undefined && IS_MEMBER.test(before))) continue;
      const qualifier = path?.replaceAll(/\?\.|!\.|::|->/g, ".") ?? null;
      const symbol = facts.symbols.findLastIndex(({ startLine, endLine }) => startLine <= line && line <= endLine);
      const read: ReferenceFact = { name, qualifier, kind: "call", line, symbol: symbol < 0 ? null : symbol };
      const isDefinition = facts.symbols.some((one) => one.name === name && one.nameLine === line);
      if (known.has(keyOf(read)) || isDefinition || (qualifier === null && isBound(read))) continue;
      known.add(keyOf(read));
      reads.push(read);
    }
  }
  return reads.length === 0 ? facts : { ...facts, references: [...facts.references, ...reads] };
}

const keyOf = ({ symbol, qualifier, name }: ReferenceFact): string => `${symbol} ${qualifier} ${name}`;

const QUOTED = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
/** A part of a quoted text that is code. */
const INSERTED = /(\$\{[^{}]*\})/;
const COMMENT = /#|\/\/|\/\*|--/;

/** The lines of a text without what is quoted or a comment. */
function codeLines(text: string, { commentLines }: Pick<FileFacts, "commentLines">): readonly string[] {
  const lines = text.split("\n");
  for (const { line: first, endLine } of commentLines)
    for (let line = first; line <= endLine; line += 1) {
      const code = lines[line - 1] ?? "";
      lines[line - 1] = line === first ? code.slice(0, Math.max(0, code.search(COMMENT))) : "";
    }
  const code = lines.join("\n").replace(QUOTED, (quoted) =>
    quoted
      .split(INSERTED)
      .map((part, at) => (at % 2 === 1 && quoted.startsWith("`") ? part : part.replace(/[^\n]/g, " ")))
      .join(""),
  );
  return code.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX));
}

/** Whether a function around a use has a variable of that name. */
function boundNames({ symbols }: Pick<FileFacts, "symbols">, lines: readonly string[]) {
  const known = new Map<string, boolean>();
  const binds = (at: number, name: string): boolean => {
    const { startLine = 1, endLine = 0 } = symbols[at] ?? {};
    const pattern = bindingOf(name);
    return lines.slice(startLine - 1, endLine).some((line) => line.includes(name) && pattern.test(line));
  };
  return ({ symbol, name }: Pick<ReferenceFact, "symbol" | "name">): boolean => {
    for (let at = symbol; at !== null; at = parentOf(symbols, at)) {
      const { kind = "variable" } = symbols[at] ?? {};
      if (isContainerKind(kind) || kind === "variable" || kind === "property") continue;
      const own = at;
      if (known.getOrInsertComputed(`${at} ${name}`, () => binds(own, name))) return true;
    }
    return false;
  };
}

/** Parents come before their children, so a walk ends. */
function parentOf(symbols: FileFacts["symbols"], at: number): number | null {
  const parent = symbols[at]?.parent ?? null;
  return parent !== null && parent < at ? parent : null;
}

/** `limit = 1`, `limit: int = 1`, `limit, rest := two()`, `for limit in`, `(limit) =>`, `|limit|`. */
function bindingOf(name: string): RegExp {
  const word = String.raw`(?<![\w$.:>@])${name.replaceAll("$", String.raw`\$`)}(?![\w$])`;
  return new RegExp(
    [
      String.raw`${word} ?(?::[\w ,.|[\]]{1,80})?:?=(?![=>~])`,
      String.raw`^\s*(?:const|let|var|val)? ?[({[]?(?: ?[\w$*]+ ?,)* ?${word}(?: ?, ?[\w$*]+)* ?[)}\]]? ?:?=(?![=>~])`,
      String.raw`\b(?:let|const|var|val|mut|for|as|lambda|each) ${word}`,
      String.raw`${word}(?:[\w$, ]*\))? ?=>`,
      String.raw`\|[\w$, ]*${word}[\w$, ]*\|`,
    ].join("|"),
    "u",
  );
}
