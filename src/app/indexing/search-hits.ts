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

/** At most `limit` hits, best first. */
export function searchHits(kb: KnowledgeBase, query: string, limit: number): readonly SearchHit[] {
  const named = definitionsNamed(kb, query);
  const places = new Set(named.flatMap((hit) => [placeOf(hit), placeOf({ ...hit, name: null })]));
  const others = kb.search(query, limit).filter((hit) => hit.more !== undefined || !places.has(placeOf(hit)));
  return [...named, ...others].slice(0, limit);
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
