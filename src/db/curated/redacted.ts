/**
 * The knowledge base without the secrets that are in its texts: what is asked of it may be shown.
 *
 * Whole texts are looked through, so a line of a key is hidden also where it is shown alone; lines keep their numbers.
 * Paths and names are left as they are, since they are asked for again; whatever prints a result looks once more.
 * Not here: what a secret is (`secrets/`).
 */
import type { Redactor } from "../../secrets/redactor.ts";
import type { FileRow, KnowledgeBase, SearchHit, SymbolRow } from "./knowledge-base.ts";

/** Files whose texts were looked through and hold nothing, by how was looked and by the list of files, which is kept. */
const clean = new WeakMap<Redactor["text"], WeakMap<readonly FileRow[], Set<number>>>();

/** Answers as `kb` does, without secrets. */
export function redactedIndex(kb: KnowledgeBase, { text: shown, value }: Redactor): KnowledgeBase {
  const known = new Map<number, string>();
  const textOf = (id: number, text: string): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const looked = cleanIn(kb.files(), shown);
    const after = looked.has(id) ? text : shown(text);
    if (after === text) looked.add(id);
    known.set(id, after);
    return after;
  };
  const texts: KnowledgeBase["texts"] = (ids) =>
    new Map([...kb.texts(ids)].map(([id, text]) => [id, textOf(id, text)] as const));
  const rowsOf = <Row>(rows: readonly Row[], said: (row: Row) => string, saying: (row: Row, text: string) => Row) =>
    rows.map((row) => {
      const [before, after] = [said(row), shown(said(row))];
      return after === before ? row : saying(row, after);
    });
  // The same rows are asked for by one stage after another.
  const knownRows = new WeakMap<SymbolRow, SymbolRow>();
  const signatureOf = (row: SymbolRow): SymbolRow => {
    const before = knownRows.get(row);
    if (before !== undefined) return before;
    const signature = shown(row.signature);
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
      // A long line is cut, perhaps within a secret.
      if (hit.what === "file" && line !== undefined && line !== text.split("\n")[hit.line - 1])
        return { ...hit, snippet: line.trim().slice(0, LINE_CHARS_MAX) };
      const snippet = shown(plain(hit.snippet));
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

function cleanIn(files: readonly FileRow[], shown: Redactor["text"]): Set<number> {
  const lists = clean.get(shown) ?? new WeakMap<readonly FileRow[], Set<number>>();
  const found = lists.get(files) ?? new Set<number>();
  clean.set(shown, lists.set(files, found));
  return found;
}

/** Of a line that had a secret, this much is shown. */
const LINE_CHARS_MAX = 160;

/** The files that hits are in, by path. */
function idsOf(kb: KnowledgeBase, hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const paths = new Set(hits.map(({ path }) => path));
  return new Map(kb.files().flatMap(({ path, id }) => (paths.has(path) ? [[path, id] as const] : [])));
}

/** A snippet without the marks around what was found. */
const plain = (snippet: string): string => snippet.replaceAll(/[\u0001\u0002]/g, "");
