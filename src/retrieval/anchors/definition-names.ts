/**
 * Finds the words of a task that are the exact name of a definition, and what its qualified names mean (`qualified-names.ts`).
 *
 * Every word is tried, since issues name definitions without marking them; one that does not look like code counts less.
 */

import type { DefinitionRow, FileRow, SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import { fileNamedBy, isEnding } from "../../task/names/file-names.ts";
import { withoutMapKeys } from "../../task/names/map-keys.ts";
import { LANGUAGE_OWNERS } from "../../task/names/name-tables.ts";
import { isCalled } from "../../task/names/word-names.ts";
import type { SectionKind, TaskQuery } from "../../task/query.ts";
import { isShort, isVerb } from "../../task/searched-task.ts";
import { inOrder } from "../../text/order.ts";
import { IDENTIFIER, NAME_SEPARATOR } from "../../text/terms/identifiers.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { type Positions, positionsById } from "../lexical/file-positions.ts";
import { type Anchor, FILES_PER_NAME_MAX } from "../model/anchor.ts";
import { definitionsOf, namePartsOf, namesToFind, prefixesOf } from "./qualified-names.ts";

/** The value of a plain word that is also a name, and its minimum length. */
const PLAIN_VALUE = 0.3;
const PLAIN_LENGTH_MIN = 4;
const EXAMPLE_LENGTH_MIN = 3;
/** Kinds whose names are plain words (fields called `name`, `path`, `value`). */
const FIELD_KINDS: ReadonlySet<string> = new Set(["property"]);
/** Names looked up at most, code first; real issues have a few hundred words. */
const NAMES_MAX = 5_000;

const WORDS = new RegExp(IDENTIFIER, "gu");
/** A span of inline code that is a name, maybe called: any other is an example. */
const NAME = new RegExp(
  String.raw`^[.#\\]?${IDENTIFIER}(?:(?:->|${NAME_SEPARATOR.source})${IDENTIFIER})*(?:\(\))?$`,
  "u",
);
/** `console.log`: a member of an object of the language. Examples are full of them, and weigh little. */
const OF_LANGUAGE = new RegExp(String.raw`(?<![\w$.])(?:${[...LANGUAGE_OWNERS].join("|")})\.\w+`, "g");
/** What programs write in front of a message (`error:`, `error TS2345:`, `error[E0308]:`, `Error Trace:`), and how they count messages. */
const LABEL =
  /(?<![\w$.:])(?:(?:fatal )?error(?: trace)?|fatal|panic|warning|note)(?=(?: [A-Z]{1,6}\d{1,5}|\[[\w:-]{1,60}\])?:(?:\s|$))|\b\d{1,6} (?:previous )?(?:error|warning)\b/gi;
const ORDINARY = /^\p{Ll}[\p{Ll}\p{N}]*$/u;
const INNER_CAPITAL = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const INNER_UNDERSCORE = /[^_]_+[^_]/;

/** Definition anchors, one for each name and section, then qualified ones. `files` are the candidates, in order of path; `paths` are the anchors of paths. */
export function definitionAnchors(
  task: TaskQuery,
  kb: SymbolQueries,
  files: readonly FileRow[],
  paths: readonly Anchor[],
): readonly Anchor[] {
  const positions = positionsById(files);
  const mentions = mentionsIn(task);
  const qualified = [...task.symbolHints, ...task.fileHints].filter(({ text }) => namePartsOf(text).length > 0);
  const names = new Set([
    ...qualified.flatMap(({ text }) => namesToFind(text)),
    ...mentions.filter(({ codeLike }) => codeLike).map(({ text }) => text),
    ...mentions.map(({ text }) => text),
  ]);
  const rows = inFileOrder(kb.definitionsNamed([...names].slice(0, NAMES_MAX)).filter(isOwnName), positions);
  const byName = Map.groupBy(rows, ({ name }) => name);
  const dotted = qualified.flatMap(({ text }) => prefixesOf(text)).filter((name) => byName.has(name));
  const outside = outsideOf(dotted, task.sections);
  const definitions = mentions.flatMap((mention) => {
    if (outside !== null && !outside.has(mention.text.replace(/^#|[!?]$/g, ""))) return [];
    const found = (byName.get(mention.text) ?? []).filter(({ kind }) => !FIELD_KINDS.has(kind));
    if (found.length === 0) return [];
    const inFile = mention.codeLike ? null : definedInNamedFile(mention, found, task, paths);
    const isClear = inFile !== null || isOneClass(mention, found, task);
    const clear = isClear ? { codeLike: true, value: Math.max(1, mention.value) } : {};
    return [{ kind: "definition", ...mention, ...clear, ...filesAndSymbols(inFile ?? found) } as const];
  });
  const pathOf = (id: number): string => files[positions.get(id) ?? -1]?.path ?? "";
  const known = { byName, task, pathOf };
  return [
    ...definitions,
    ...qualified.flatMap((hint) =>
      definitionsOf(hint.text, known).map(
        ({ text, found }) => ({ ...hint, kind: "qualified", text, value: 1, ...filesAndSymbols(found) }) as const,
      ),
    ),
  ];
}

/** "fix Child" names the class Child if there is one of the name, unless it has its capital for beginning the task ("Filter by date"). */
const isOneClass = (
  { text, section }: NameMention,
  found: readonly Pick<SymbolRow, "kind">[],
  task: Pick<TaskQuery, "sections" | "frames" | "title">,
): boolean =>
  section === "title" &&
  CAPITALIZED.test(text) &&
  found.length === 1 &&
  found.every(({ kind }) => kind === "class") &&
  isShort(task) &&
  !isOnlyFirstWord(text, task);

/** The word that a sentence or its rest behind a label ("Session: …", "[12.x] …") begins with. */
const FIRST_WORD = /(?:^|[:\]])\s*\p{Lu}[\p{L}\p{N}]*(?=\s)/gu;

/** Whether the title has a name only where any word has a capital. Of such words in commit messages, a tenth mean the class. */
const isOnlyFirstWord = (text: string, { title }: Pick<TaskQuery, "title">): boolean =>
  ![...title.replace(FIRST_WORD, " ").matchAll(WORDS)].some(([word]) => word === text);

const isFirstVerb = (text: string, { title }: Pick<TaskQuery, "title">): boolean =>
  title.trimStart().startsWith(text) && (isVerb(text) || STOP_WORDS.has(text.toLowerCase()));

/** What may stand between a name and its file. */
const IN_FILE = /^(?:\s+(?:function|method|class|type|constant|definition))?\s+(?:in|of|from)\s+$/;

/** "fix redirect in helpers.py" names the one definition that the file has of this name. */
function definedInNamedFile<Row extends Pick<SymbolRow, "fileId">>(
  { text, section }: NameMention,
  found: readonly Row[],
  task: TaskQuery,
  paths: readonly Anchor[],
): readonly Row[] | null {
  if (section !== "title" || !isShort(task) || isFirstVerb(text, task)) return null;
  for (const path of paths) {
    const rows = found.filter(({ fileId }) => path.files.includes(fileId));
    if (rows.length !== 1 || path.files.length > FILES_PER_NAME_MAX) continue;
    const [before = ""] = task.title.split(path.text, 1);
    const at = before.lastIndexOf(text);
    if (at >= 0 && !/[\p{L}\p{N}_$.]$/u.test(before.slice(0, at)) && IN_FILE.test(before.slice(at + text.length)))
      return rows;
  }
  return null;
}

const CAPITALIZED = /^\p{Lu}\p{Ll}[\p{L}\p{N}]*$/u;

/** A module of Elixir may have dots in its name. A test that has some is named after what it tests. */
const isOwnName = ({ name, kind }: DefinitionRow): boolean => !name.includes(".") || isContainerKind(kind);

/** The words of a task outside these names; null without names. `Shop.Cart` says nothing about a module `Shop`. */
function outsideOf(names: readonly string[], sections: TaskQuery["sections"]): ReadonlySet<string> | null {
  if (names.length === 0) return null;
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length || inOrder(a, b));
  const text = sections.map((section) => section.text).join("\n");
  return new Set(longestFirst.reduce((left, name) => left.replaceAll(name, " "), text).match(WORDS));
}

/** Symbols of known files, by position of the file and position in it: never by id alone. */
export const inFileOrder = <Row extends Pick<SymbolRow, "id" | "fileId">>(
  rows: readonly Row[],
  positions: Positions,
): readonly Row[] =>
  rows
    .flatMap((row) => {
      const position = positions.get(row.fileId);
      return position === undefined ? [] : [{ row, position }];
    })
    .sort((a, b) => a.position - b.position || a.row.id - b.row.id)
    .map(({ row }) => row);

const filesAndSymbols = (rows: readonly Pick<SymbolRow, "id" | "fileId">[]) => ({
  files: [...new Set(rows.map(({ fileId }) => fileId))],
  symbols: rows.map(({ id }) => id),
});

type NameMention = {
  readonly text: string;
  readonly section: SectionKind;
  readonly codeLike: boolean;
  readonly value: number;
};

/** The words of a task by section, with the sum of their mentions (one a line). */
function mentionsIn(task: TaskQuery): readonly NameMention[] {
  const found = new Map<string, NameMention>();
  // The analysis finds names in the backticks of titles, and names like "the Session class".
  const written = new Set(
    task.symbolHints.filter(({ codeLike }) => codeLike).map(({ section, text }) => `${section} ${text}`),
  );
  for (const { kind, text } of task.sections) {
    if (kind === "noise") continue;
    const isExample = isSample(kind) || (kind === "inline" && !isName(text));
    // A path, a package and the name of a file are made of ordinary words.
    const hasWords = isExample && kind === "inline" && (/[/@]/.test(text) || NAME.test(text));
    for (const line of text.split("\n")) {
      for (const [word, marked] of wordsOf(withoutAsides(line, kind), kind)) {
        const key = `${kind} ${word}`;
        const isCode = marked || looksLikeCode(word, kind) || written.has(key);
        const isWord = hasWords && ORDINARY.test(word) && !(marked || written.has(key));
        const codeLike = isCode && !isWord;
        const lengthMin = isCode ? (isExample ? EXAMPLE_LENGTH_MIN : 1) : PLAIN_LENGTH_MIN;
        if (word.length < lengthMin) continue;
        const before = found.get(key);
        found.set(key, {
          text: word,
          section: kind,
          codeLike: codeLike || (before?.codeLike ?? false),
          value: (before?.value ?? 0) + (isCode ? 1 : PLAIN_VALUE),
        });
      }
    }
  }
  return [...found.values()];
}

/** A line without what is in it for the language or for the reader. In code a label is a key. */
function withoutAsides(written: string, kind: SectionKind): string {
  const line = withoutMapKeys(written);
  const told = kind === "code" || kind === "inline" ? line : line.replace(LABEL, " ");
  return isSample(kind) ? told : told.replace(OF_LANGUAGE, " ");
}

/** The identifiers of a line, and whether each is called there; in code also those that end with `!` or `?`; private ones as `#name`. */
function wordsOf(line: string, kind: SectionKind): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>();
  const asCode = isSample(kind) || kind === "inline";
  for (const { 0: word, index } of line.matchAll(WORDS)) {
    const end = index + word.length;
    const next = line[end] ?? "";
    words.set(word, isCalled(line, index, end) || (words.get(word) ?? false));
    if (line[index - 1] === "#" && !/[\w$)]/.test(line[index - 2] ?? "")) words.set(`#${word}`, true);
    if ((next === "!" || next === "?") && (asCode || line[end + 1] === "(")) words.set(`${word}${next}`, true);
  }
  return words;
}

/** Whether a span of inline code is a name, and not that of a file or of a kind of files. */
const isName = (span: string): boolean =>
  NAME.test(span) && !isEnding(span) && fileNamedBy(span, { asCode: true, alone: true, called: false }) === null;

const isSample = (kind: SectionKind): boolean => kind === "code" || kind === "trace" || kind === "error";

const looksLikeCode = (word: string, kind: SectionKind): boolean =>
  kind === "inline" || isSample(kind) || INNER_UNDERSCORE.test(word) || INNER_CAPITAL.test(word);
