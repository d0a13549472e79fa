/**
 * Renders a context package as a graph: files and symbols are nodes, relations are edges, and the shown text is in snippets.
 */
import { inOrder } from "../../text/order.ts";
import { SCHEMA_VERSION, symbolId } from "../model/package-ids.ts";
import type { Bundle, ContextPackage } from "../model/package-schema.ts";
import { shownParts, symbolReasons } from "./shown-text.ts";

/** Facts about the symbols that the package does not hold, by node id. */
export type BundleLinks = {
  /** Relative to the best definition, 0 to 1. */
  readonly scores: ReadonlyMap<string, number>;
  readonly exported: ReadonlySet<string>;
  readonly references: readonly (readonly [from: string, to: string])[];
};

type ShownItem = {
  readonly item: {
    readonly path: string;
    readonly score: number;
    readonly symbol: {
      readonly id: number;
      readonly qualifiedName: string;
      readonly startLine: number;
      readonly exported: boolean;
    } | null;
  };
};

/** Reads scores, exports and references of the shown symbols. */
export function bundleLinks(
  shown: readonly ShownItem[],
  kb: { referencesFrom(symbolIds: readonly number[]): readonly { readonly caller: number; readonly callee: number }[] },
): BundleLinks {
  const symbols = shown.flatMap(({ item: { path, symbol, score } }) =>
    symbol ? [{ ...symbol, score, node: symbolId(path, symbol.qualifiedName, symbol.startLine) }] : [],
  );
  const nodes = new Map(symbols.map(({ id, node }) => [id, node]));
  const references = kb.referencesFrom([...nodes.keys()]).flatMap(({ caller, callee }) => {
    const [from, to] = [nodes.get(caller), nodes.get(callee)];
    return from !== undefined && to !== undefined ? [[from, to] as const] : [];
  });
  return {
    scores: new Map(symbols.map(({ node, score }) => [node, score])),
    exported: new Set(symbols.flatMap(({ node, exported }) => (exported ? [node] : []))),
    references: references.sort(([a, b], [c, d]) => inOrder(a, c) || inOrder(b, d)),
  };
}

/** The bundle of a package. `intent` is one sentence on the task. */
export function renderBundle(
  pkg: ContextPackage,
  { intent, links: readLinks }: { readonly intent: string; readonly links: () => BundleLinks },
): Bundle {
  const links = readLinks();
  const reasonOf = symbolReasons(pkg);
  const known = new Set(pkg.files.flatMap((file) => file.symbols.map((symbol) => symbol.symbol_id)));
  return {
    schema_version: SCHEMA_VERSION,
    task_id: pkg.task_id,
    intent,
    ...(pkg.provenance.provisional === undefined ? {} : { provisional: pkg.provenance.provisional }),
    ...(pkg.review === undefined ? {} : { review: pkg.review }),
    nodes: pkg.files.flatMap((file) => [
      {
        id: file.file_id,
        type: "file" as const,
        path: file.path,
        name: file.path,
        kind: file.language,
        score: file.score,
      },
      ...file.symbols.map((symbol) => ({
        id: symbol.symbol_id,
        type: "symbol" as const,
        path: file.path,
        name: symbol.qualified_name,
        kind: symbol.kind,
        score: links.scores.get(symbol.symbol_id) ?? 0,
      })),
    ]),
    edges: [
      ...pkg.dependency_edges.map(([from, to]) => ({ from, to, type: "IMPORTS" as const })),
      ...pkg.files.flatMap((file) =>
        file.symbols.flatMap((symbol) => [
          { from: file.path, to: symbol.symbol_id, type: "DEFINES" as const },
          ...(links.exported.has(symbol.symbol_id)
            ? [{ from: file.path, to: symbol.symbol_id, type: "EXPORTS" as const }]
            : []),
        ]),
      ),
      ...pairsOf(links.references)
        .filter(([from, to]) => known.has(from) && known.has(to))
        .map(([from, to]) => ({ from, to, type: "REFERENCES" as const })),
    ],
    snippets: pkg.files.flatMap((file) =>
      shownParts(file, reasonOf).map(({ symbol: _, ...part }) => ({ path: file.path, ...part })),
    ),
    token_count: pkg.token_count,
    budget: pkg.budget,
    ...(pkg.learned === undefined ? {} : { learned: pkg.learned }),
  };
}

/** Each pair once: one symbol may reference another in several ways. */
const pairsOf = (references: BundleLinks["references"]): BundleLinks["references"] => [
  ...new Map(references.map((pair) => [pair.join("\n"), pair])).values(),
];
