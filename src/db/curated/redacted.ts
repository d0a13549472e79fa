/**
 * The knowledge base with secrets redacted, so that its answers may be shown.
 *
 * Whole texts are redacted, so a line of a key is hidden even where it is shown alone; lines keep their numbers. Paths and names
 * stay, because later questions use them; output is redacted once more before it is printed.
 */
import type { Redactor } from "../../secrets/redactor.ts";
import type { FileQueries, FileRow, KnowledgeBase, SearchHit, SymbolRow } from "./knowledge-base.ts";

/** Ids of files without secrets, by redactor and by cached file list. */
const CLEAN_FILES = new WeakMap<Redactor["text"], WeakMap<readonly FileRow[], Set<number>>>();

/** Answers like `kb`, without secrets. */
export function redactedIndex(kb: KnowledgeBase, { text: redact, value }: Redactor): KnowledgeBase {
  const known = new Map<number, string>();
  const textOf = (id: number, text: string): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const clean = cleanFiles(kb.files(), redact);
    const after = clean.has(id) ? text : redact(text);
    if (after === text) clean.add(id);
    known.set(id, after);
    return after;
  };
  const texts: FileQueries["texts"] = (ids) =>
    new Map([...kb.texts(ids)].map(([id, text]) => [id, textOf(id, text)] as const));
  const rowsOf = <Row>(rows: readonly Row[], textIn: (row: Row) => string, withText: (row: Row, text: string) => Row) =>
    rows.map((row) => {
      const [before, after] = [textIn(row), redact(textIn(row))];
      return after === before ? row : withText(row, after);
    });
  // Several stages request the same rows.
  const knownRows = new WeakMap<SymbolRow, SymbolRow>();
  const signatureOf = (row: SymbolRow): SymbolRow => {
    const before = knownRows.get(row);
    if (before !== undefined) return before;
    const signature = redact(row.signature);
    const after = signature === row.signature ? row : { ...row, signature };
    knownRows.set(row, after);
    return after;
  };
  const signatures = (rows: readonly SymbolRow[]): readonly SymbolRow[] => rows.map(signatureOf);
  const contents = <Row extends { readonly content: string }>(rows: readonly Row[]): readonly Row[] =>
    rowsOf(
      rows,
      ({ content }) => content,
      (row, content) => ({ ...row, content }),
    );
  const searched = (hits: readonly SearchHit[]): readonly SearchHit[] => {
    const ids = idsOf(kb, hits);
    const whole = kb.texts([...ids.values()]);
    return hits.map((hit) => {
      const id = ids.get(hit.path) ?? -1;
      const text = whole.get(id) ?? "";
      const clean = textOf(id, text);
      const line = clean === text ? undefined : clean.split("\n")[hit.line - 1];
      // The snippet of a long line is cut, perhaps inside a secret.
      if (hit.what === "file" && line !== undefined && line !== text.split("\n")[hit.line - 1])
        return { ...hit, snippet: line.trim().slice(0, LINE_CHARS_MAX) };
      const snippet = redact(plain(hit.snippet));
      return snippet === plain(hit.snippet) ? hit : { ...hit, snippet };
    });
  };
  return {
    ...kb,
    texts,
    symbolsIn: (ids) => signatures(kb.symbolsIn(ids)),
    symbolsById: (ids) => signatures(kb.symbolsById(ids)),
    symbolsNamed: (names) => signatures(kb.symbolsNamed(names)),
    outlineNamed: (names) => signatures(kb.outlineNamed(names)),
    docstringsIn: (ids) => contents(kb.docstringsIn(ids)),
    commentsIn: (ids) => contents(kb.commentsIn(ids)),
    rationalesIn: (ids) => contents(kb.rationalesIn(ids)),
    fileMetadata: () => value(kb.fileMetadata()),
    search: (query, limit) => searched(kb.search(query, limit)),
    findDefinitions: (query, limit) => value(kb.findDefinitions(query, limit)),
    findCommits: (query, limit) => value(kb.findCommits(query, limit)),
    definitionsById: (ids) => value(kb.definitionsById(ids)),
    commitsById: (ids) => value(kb.commitsById(ids)),
  };
}

function cleanFiles(files: readonly FileRow[], redact: Redactor["text"]): Set<number> {
  const lists = CLEAN_FILES.get(redact) ?? new WeakMap<readonly FileRow[], Set<number>>();
  const found = lists.get(files) ?? new Set<number>();
  CLEAN_FILES.set(redact, lists.set(files, found));
  return found;
}

/** The length of a snippet from a line with a secret. */
const LINE_CHARS_MAX = 160;

/** The ids of the hits' files, by path. */
function idsOf(kb: FileQueries, hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const paths = new Set(hits.map(({ path }) => path));
  return new Map(kb.files().flatMap(({ path, id }) => (paths.has(path) ? [[path, id] as const] : [])));
}

/** A snippet without match marks. */
const plain = (snippet: string): string => snippet.replaceAll(/[\u0001\u0002]/g, "");
