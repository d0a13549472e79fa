/**
 * What a query finds: the definitions that it names as other arguments may, then what full-text search finds.
 *
 * Full text knows a name and the names around it, but not the module, package or path that is often written before it.
 */
import { namedHit } from "../../db/curated/full-text/search.ts";
import type { KnowledgeBase, SearchHit } from "../../db/curated/knowledge-base.ts";
import { definitionsTyped } from "../../retrieval/anchors/typed-names.ts";

/** Without blanks or alternatives, and with something before a name. */
const QUALIFIED = /^[^\s|]*[^\s|.:/#\\][.:/#\\]+[^\s|.:/#\\][^\s|]*$/;
const NAME_CHARS_MAX = 1_000;

/** How many more hits are looked for, in case that some are overloads. */
const OVERLOADS = 3;

/** At most `limit` hits, best first. */
export function searchHits(kb: KnowledgeBase, query: string, limit: number): readonly SearchHit[] {
  const named = definitionsNamed(kb, query);
  const places = new Set(named.flatMap((hit) => [placeOf(hit), placeOf({ ...hit, name: null })]));
  const others = kb
    .search(query, limit * OVERLOADS)
    .filter((hit) => hit.more !== undefined || !places.has(placeOf(hit)));
  return foldedOverloads([...named, ...others]).slice(0, limit);
}

/** Definitions of one name in one file that are shown; the last of them names the lines of the others. */
const OVERLOADS_SHOWN = 3;

/** Many overloads would leave no room for anything else. */
function foldedOverloads(hits: readonly SearchHit[]): readonly SearchHit[] {
  const overloads = Map.groupBy(
    hits.filter(({ what }) => what === "symbol"),
    ({ path, name }) => JSON.stringify([path, name]),
  );
  const folded = new Map<SearchHit, SearchHit | null>();
  for (const all of overloads.values()) {
    const [last, ...rest] = all.slice(OVERLOADS_SHOWN - 1);
    if (last === undefined || rest.length < 2) continue;
    folded.set(last, { ...last, more: rest.map(({ line }) => line) });
    for (const hit of rest) folded.set(hit, null);
  }
  return hits.flatMap((hit) => folded.get(hit) ?? (folded.has(hit) ? [] : [hit]));
}

function definitionsNamed(kb: KnowledgeBase, query: string): readonly SearchHit[] {
  if (query.length > NAME_CHARS_MAX || !QUALIFIED.test(query)) return [];
  const files = kb.files();
  const paths = new Map(files.map(({ id, path }) => [id, path]));
  // Headings and keys rank below definitions.
  const definitions = { symbolsNamed: kb.symbolsNamed, outlineNamed: () => [] };
  const hits = definitionsTyped(query, definitions, files).map((row) =>
    namedHit(row, paths.get(row.fileId) ?? "", query),
  );
  return [...new Map(hits.map((hit) => [placeOf(hit), hit])).values()];
}

const placeOf = ({ path, line, name }: SearchHit): string => JSON.stringify([path, line, name]);
