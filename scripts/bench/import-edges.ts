/**
 * Compares two sets of import edges and reports the result.
 *
 * Edges in both sets agree. An edge that only cra has is wrong unless the caller's rule explains why the oracle cannot
 * have it. An edge that only the oracle has is missed unless that rule covered the same import. Agreement is the share
 * of agreeing edges in all agreeing, wrong and missed ones.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveImports } from "../../tests/support/resolved-imports.ts";
import { type Checkout, factsOf, type IndexedFile } from "./repositories.ts";

const RESULTS = join(import.meta.dir, "results");
const AGREEMENT_MIN = 0.99;

/** One file imports another with `specifier`. */
export type Edge = { readonly source: string; readonly target: string; readonly specifier: string };

export type EdgeComparison = {
  readonly checkout: Checkout;
  readonly files: number;
  readonly both: number;
  readonly missed: readonly Edge[];
  readonly wrong: readonly Edge[];
  /** Edges that the oracle cannot have, by reason. */
  readonly beyond: ReadonlyMap<string, readonly Edge[]>;
};

/** The edges that cra finds, between any two indexed files. */
export async function ourEdges(files: readonly IndexedFile[]): Promise<readonly Edge[]> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const sources = await Promise.all(files.map(async (file) => ({ ...file, facts: await factsOf(file) })));
  return resolveImports(sources, (path) => texts.get(path) ?? null).edges;
}

/** Why an edge of cra is right although the oracle has other targets or none for that import; null if it is wrong. */
export type Judge = (edge: Edge, theirs: readonly string[]) => string | null;

/** `importers` are the files whose imports the oracle read. */
export function compareEdges(
  checkout: Checkout,
  importers: ReadonlySet<string>,
  { ours, theirs }: { readonly ours: readonly Edge[]; readonly theirs: readonly Edge[] },
  judge: Judge,
): EdgeComparison {
  const mine = byKey(ours.filter(({ source }) => importers.has(source)));
  const oracle = byKey(theirs.filter(({ source, target }) => source !== target));
  const onlyOurs = [...mine].flatMap(([key, edge]) => (oracle.has(key) ? [] : [edge]));
  const byImport = Map.groupBy(theirs, importKey);
  const judged = Map.groupBy(onlyOurs, (edge) =>
    judge(
      edge,
      (byImport.get(importKey(edge)) ?? []).map(({ target }) => target),
    ),
  );
  const wrong = judged.get(null) ?? [];
  const beyond = new Map([...judged].flatMap(([reason, edges]) => (reason === null ? [] : [[reason, edges] as const])));
  const spokenOf = new Set([...beyond.values()].flat().map(importKey));
  const missed = [...oracle].flatMap(([key, edge]) => (mine.has(key) || spokenOf.has(importKey(edge)) ? [] : [edge]));
  return { checkout, files: importers.size, both: mine.size - onlyOurs.length, missed, wrong, beyond };
}

const importKey = ({ source, specifier }: Edge): string => `${source}\0${specifier}`;

const byKey = (edges: readonly Edge[]): ReadonlyMap<string, Edge> =>
  new Map(edges.map((edge) => [`${edge.source}\0${edge.target}`, edge]));

const agreementOf = ({ both, missed, wrong }: EdgeComparison): number =>
  both / Math.max(1, both + missed.length + wrong.length);

/** Every difference, one per line. */
export function differencesOf({ missed, wrong, beyond }: EdgeComparison): string {
  const line = (what: string, { source, target, specifier }: Edge): string =>
    `${what}: ${source} -> ${target} (${specifier})\n`;
  return [
    ...missed.map((edge) => line("missed", edge)),
    ...wrong.map((edge) => line("wrong", edge)),
    ...[...beyond].flatMap(([reason, edges]) => edges.map((edge) => line(reason, edge))),
  ].join("");
}

type Page = { readonly name: string; readonly title: string; readonly words: string };

/** The comparisons as a Markdown page. */
function pageOf({ title, words }: Page, comparisons: readonly EdgeComparison[]): string {
  const reasons = [...new Set(comparisons.flatMap(({ beyond }) => [...beyond.keys()]))].sort();
  const head = ["repository", "commit", "files", "both", "missed", "wrong", "agreement", ...reasons];
  const rows = comparisons.map((comparison) => [
    comparison.checkout.repository,
    comparison.checkout.commit.slice(0, 12),
    comparison.files,
    comparison.both,
    comparison.missed.length,
    comparison.wrong.length,
    `${(100 * agreementOf(comparison)).toFixed(2)} %`,
    ...reasons.map((reason) => comparison.beyond.get(reason)?.length ?? 0),
  ]);
  const line = (cells: readonly unknown[]): string => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, column) => (column < 2 ? "---" : "---:"));
  return `# ${title}\n\n${words}\n\n${[head, rule, ...rows].map(line).join("\n")}\n`;
}

/** Prints the page, writes it on request, and returns whether every gate is met. */
export function finish(page: Page, comparisons: readonly EdgeComparison[], write: boolean): boolean {
  const text = pageOf(page, comparisons);
  process.stdout.write(text);
  if (write) writeFileSync(join(RESULTS, `${page.name}.md`), text);
  return comparisons.every((one) => one.wrong.length === 0 && agreementOf(one) >= AGREEMENT_MIN);
}
