/**
 * The knowledge base with secrets redacted, so that its answers may be shown.
 *
 * Whole texts are redacted, so a line of a key is hidden even where it is shown alone; lines keep their numbers. What stands in
 * a file without secrets is not searched again. Paths stay, because files are opened by them; output is redacted once more
 * before it is printed.
 */
import { marker, type Redactor } from "../../secrets/redactor.ts";
import type {
  DefinitionRow,
  FileQueries,
  FoundDefinition,
  KnowledgeBase,
  NamedDefinition,
  SearchHit,
  SymbolRow,
} from "./knowledge-base.ts";

/** Answers like `kb`, without secrets. */
export function redactedIndex(kb: KnowledgeBase, redactor: Redactor): KnowledgeBase {
  const { text: redact, value } = redactor;
  const known = new Map<number, string>();
  const { isClean, among } = cleanFiles(kb, redactor);
  const textOf = (id: number, text: string): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    if (isClean(id)) return text;
    const after = redact(text);
    known.set(id, after);
    return after;
  };
  const texts: FileQueries["texts"] = (ids) => {
    among(ids);
    return new Map([...kb.texts(ids)].map(([id, text]) => [id, textOf(id, text)] as const));
  };
  /** The same rows, whose files are looked up. */
  const inFiles = <Row extends { readonly fileId: number }>(rows: readonly Row[]): readonly Row[] => {
    among([...new Set(rows.map(({ fileId }) => fileId))]);
    return rows;
  };
  const shownIn: ShownIn = (id, text) => (isClean(id) ? text : withoutSecrets(id, text));
  const withoutSecrets = contextual(kb, textOf, redact);
  // Several stages request the same rows.
  const knownRows = new WeakMap<SymbolRow, SymbolRow>();
  const symbolOf = (row: SymbolRow): SymbolRow => {
    if (isClean(row.fileId)) return row;
    const after = knownRows.get(row) ?? shownNames(shownIn, row.fileId, row);
    knownRows.set(row, after);
    return after;
  };
  const symbols = (rows: readonly SymbolRow[]): readonly SymbolRow[] => inFiles(rows).map(symbolOf);
  const definitions = <Row extends DefinitionRow & Partial<NamedDefinition>>(rows: readonly Row[]): readonly Row[] => {
    // Few names are that long, and looking up their files takes longer than their rows.
    const mayHaveKey = ({ name, qualifiedName = name }: Row): boolean => LONG_NAME.test(qualifiedName);
    inFiles(rows.filter(mayHaveKey));
    return rows.map((row) => {
      if (!mayHaveKey(row)) return row;
      const { fileId, name, qualifiedName } = row;
      const whole = qualifiedName === undefined ? {} : { qualifiedName: shownIn(fileId, qualifiedName) };
      return { ...row, name: shownIn(fileId, name), ...whole };
    });
  };
  const contents = <Row extends Prose>(rows: readonly Row[]): readonly Row[] =>
    inFiles(rows).map((row) => {
      const content = shownIn(row.fileId, row.content);
      return content === row.content ? row : { ...row, content };
    });
  const { searched, found } = hitsOf(kb, redactor, { shownIn, textOf, among });
  return {
    ...kb,
    texts,
    definitionsIn: (ids) => definitions(kb.definitionsIn(ids)),
    definitionRows: (ids) => definitions(kb.definitionRows(ids)),
    definitionsNamed: (names) => definitions(kb.definitionsNamed(names)),
    symbolsIn: (ids) => symbols(kb.symbolsIn(ids)),
    symbolsById: (ids) => symbols(kb.symbolsById(ids)),
    symbolsNamed: (names) => symbols(kb.symbolsNamed(names)),
    outlineNamed: (names) => symbols(kb.outlineNamed(names)),
    docstringsIn: (ids) => contents(kb.docstringsIn(ids)),
    commentsIn: (ids) => contents(kb.commentsIn(ids)),
    rationalesIn: (ids) => contents(kb.rationalesIn(ids)),
    fileMetadata: () => value(kb.fileMetadata()),
    search: (query, limit) => searched(kb.search(query, limit)),
    findDefinitions: (query, limit) => found(kb.findDefinitions(query, limit)),
    findCommits: (query, limit) => value(kb.findCommits(query, limit)),
    definitionsById: (ids) => found(kb.definitionsById(ids)),
    commitsById: (ids) => value(kb.commitsById(ids)),
  };
}

/** Hides secrets in what searches find, which names files by their paths. */
function hitsOf(
  kb: FileQueries,
  { value }: Redactor,
  files: { readonly shownIn: ShownIn; readonly textOf: ShownIn; among(ids: readonly number[]): void },
) {
  const { shownIn, textOf, among } = files;
  const idsOf = (hits: readonly Pick<SearchHit, "path">[]): ReadonlyMap<string, number> => {
    const ids = kb.idsOf(hits.map(({ path }) => path));
    among([...ids.values()]);
    return ids;
  };
  const searched = (hits: readonly SearchHit[]): readonly SearchHit[] => {
    const ids = idsOf(hits);
    const whole = kb.texts([...ids.values()]);
    return hits.map(({ more, ...found }) => {
      const id = ids.get(found.path) ?? -1;
      const text = whole.get(id) ?? "";
      const clean = textOf(id, text);
      const others = more === undefined || clean === text ? more : sameLines(more, clean, text);
      const hit = others === undefined || others.length === 0 ? found : { ...found, more: others };
      const line = clean === text ? undefined : clean.split("\n")[hit.line - 1];
      // The snippet of a long line is cut, perhaps inside a secret.
      if (hit.what === "file" && line !== undefined && line !== text.split("\n")[hit.line - 1])
        return { ...hit, snippet: line.trim().slice(0, LINE_CHARS_MAX) };
      const snippet = shownIn(id, plain(hit.snippet));
      const name = hit.name === null ? null : shownIn(id, hit.name);
      return snippet === plain(hit.snippet) && name === hit.name ? hit : { ...hit, name, snippet };
    });
  };
  const found = (rows: readonly FoundDefinition[]): readonly FoundDefinition[] => {
    const ids = idsOf(rows);
    return value(rows).map((row) => {
      const id = ids.get(row.path) ?? -1;
      const shown = shownNames(shownIn, id, row);
      return row.docstring === null ? shown : { ...shown, docstring: shownIn(id, row.docstring) };
    });
  };
  return { searched, found };
}

/** Those of these lines that hold no secret: that a search finds a line with one would say what is in it. */
function sameLines(lines: readonly number[], clean: string, text: string): readonly number[] {
  const [shown, whole] = [clean.split("\n"), text.split("\n")];
  return lines.filter((line) => shown[line - 1] === whole[line - 1]);
}

/** Which files hold no secret. `among` looks these up, all at once. */
function cleanFiles(kb: FileQueries, { rules }: Redactor) {
  const clean = new Map<number, boolean>();
  return {
    isClean: (id: number): boolean => clean.get(id) === true,
    among(ids: readonly number[]): void {
      const unknown = ids.filter((id) => !clean.has(id));
      if (rules === null || unknown.length === 0) return;
      const free = new Set(kb.secretFree(unknown, rules));
      for (const id of unknown) clean.set(id, free.has(id));
    },
  };
}

type Prose = { readonly fileId: number; readonly content: string };

/** The shown form of a text in the file with this id. */
type ShownIn = (id: number, text: string) => string;

/** A part of a text, such as a name or a comment, may be a secret that only the text before it in its file gives away. */
function contextual(kb: FileQueries, textOf: ShownIn, redact: Redactor["text"]): ShownIn {
  return (id, text) => {
    const words = opaqueWords(text);
    const whole = words.length === 0 ? undefined : kb.texts([id]).get(id);
    const clean = whole === undefined ? undefined : textOf(id, whole);
    const hidden = clean === whole ? [] : words.filter((word) => clean?.includes(word) === false);
    return hidden.reduce((rest, word) => rest.replaceAll(word, marker("key")), redact(text));
  };
}

function shownNames<Row extends Names>(shownIn: ShownIn, id: number, row: Row): Row {
  const { name, qualifiedName, signature } = row;
  const written = `${signature}\n${qualifiedName}`;
  if (shownIn(id, written) === written) return row;
  return {
    ...row,
    name: shownIn(id, name),
    qualifiedName: shownIn(id, qualifiedName),
    signature: shownIn(id, signature),
  };
}

type Names = Pick<SymbolRow, "name" | "qualifiedName" | "signature">;

/** What may be a key, or a line of one in base64, although no rule knows it alone. */
const opaqueWords = (text: string): readonly string[] => text.match(LONG_WORD) ?? [];
const LONG_WORD = /[A-Za-z0-9+/=_-]{16,}/g;
/** No key that can be a name, or a part of one, is shorter. */
const LONG_NAME = /[^.]{16}/;
/** The length of a snippet from a line with a secret. */
const LINE_CHARS_MAX = 160;

/** A snippet without match marks. */
const plain = (snippet: string): string => snippet.replaceAll(/[\u0001\u0002]/g, "");
