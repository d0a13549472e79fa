/**
 * What ranks where, for a fixed set of tasks on the sources of a pinned package: a change of ranking is a diff that
 * someone reads. `UPDATE_GOLDEN=1 bun test tests/corpus/ranking` writes the file anew.
 *
 * A case in the file is its five best files, `*` on those that are sought (below them those that rank further down; `-`
 * is not ranked), then the ranks of the definitions that are sought. Better or worse overall is its first lines.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readCases } from "../../src/evaluation/cases.ts";
import { fileRankMetrics, ranksOf } from "../../src/evaluation/file-metrics.ts";
import type { RankedSymbol } from "../../src/evaluation/model.ts";
import { symbolRankMetrics, symbolRanks } from "../../src/evaluation/symbol-metrics.ts";
import { indexed } from "../support/indexed.ts";
import type { Files } from "../support/repo.ts";
import { shared } from "../support/shared.ts";

const PACKAGE = join(import.meta.dir, "..", "..", "node_modules", "zod");
const CASES = readCases(readFileSync(join(import.meta.dir, "ranking_cases.jsonl"), "utf8"), "ranking_cases.jsonl");
const GOLDEN = join(import.meta.dir, "..", "golden", "ranking.txt");
const REWRITE = "read what moved, then: UPDATE_GOLDEN=1 bun test tests/corpus/ranking";

const TOP = 5;

/** Tests that would take most of the time; those of `v4/mini` stay, to be in the way. */
const LEFT_OUT = /^src\/(?:v3\/(?:tests|benchmarks)|v4\/(?:classic|core)\/tests)\//;

type Ranks = {
  readonly top: readonly string[];
  readonly files: readonly (number | null)[];
  readonly definitions: readonly (number | null)[];
};

const files = corpusFiles();
const corpus = shared(await indexed(files));
const ranks: Ranks[] = [];
for (const one of CASES) ranks.push(await ranksFor(one));
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")));
const head = `zod ${version}, ${Object.keys(files).length} files\n${overall(ranks)}`;
const now = [head, ...CASES.map((one, at) => section(one, ranks[at]))].join("\n");
if (process.env.UPDATE_GOLDEN === "1") writeFileSync(GOLDEN, now);

test("the overall ranks are unchanged", () => {
  expect(sections(now).get(""), REWRITE).toBe(sections(readFileSync(GOLDEN, "utf8")).get("") ?? "");
});

test.each(CASES)("the ranks of $id are unchanged", ({ id }) => {
  expect(sections(now).get(id), REWRITE).toBe(sections(readFileSync(GOLDEN, "utf8")).get(id) ?? "");
});

test("the file contains no other cases", () => {
  const named = [...sections(readFileSync(GOLDEN, "utf8")).keys()];
  expect(named, REWRITE).toEqual(["", ...CASES.map(({ id }) => id)]);
});

test("the expected files of the cases are in the corpus", () => {
  const paths = new Set(corpus.kb.files().map(({ path }) => path));
  expect(paths.size).toBeGreaterThan(80);
  for (const { expectedFiles } of CASES) for (const path of expectedFiles) expect(paths).toContain(path);
});

function corpusFiles(): Files {
  const entries = readdirSync(join(PACKAGE, "src"), { recursive: true, encoding: "utf8", withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(PACKAGE.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => !LEFT_OUT.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(PACKAGE, path))]));
}

type Case = (typeof CASES)[number];

async function ranksFor({ task, expectedFiles, expectedSymbols }: Case): Promise<Ranks> {
  const { selection } = await corpus.run(task, { stages: ["scope"] });
  const paths = new Map(selection.files.map(({ file }) => [file.id, file.path]));
  const rows = new Map(
    corpus.kb.symbolsById(selection.definitions.map(({ symbolId }) => symbolId)).map((row) => [row.id, row]),
  );
  const definitions = selection.definitions.flatMap(({ symbolId, fileId }): RankedSymbol[] => {
    const row = rows.get(symbolId);
    const path = paths.get(fileId);
    if (row === undefined || path === undefined) return [];
    return [{ path, qualified: row.qualifiedName, name: row.name, start: row.startLine, end: row.endLine }];
  });
  return {
    top: selection.files.slice(0, TOP).map(({ file }) => file.path),
    files: ranksOf(
      selection.files.map(({ file }) => file),
      expectedFiles,
    ),
    definitions: symbolRanks(definitions, expectedSymbols, expectedFiles),
  };
}

function section({ id, expectedFiles, expectedSymbols }: Case, ranks: Ranks | undefined): string {
  if (ranks === undefined) throw new Error(`${id} has no ranks`);
  const line = (rank: number | null, mark: string, text: string): string => `${shown(rank)} ${mark} ${text}\n`;
  const shown = (rank: number | null): string => String(rank ?? "-").padStart(4);
  const sought = new Set(expectedFiles);
  const further = expectedFiles.map((path, at) => ({ path, rank: ranks.files[at] ?? null }));
  return [
    `${id}\n`,
    ...ranks.top.map((path, at) => line(at + 1, sought.has(path) ? "*" : " ", path)),
    ...further.filter(({ path }) => !ranks.top.includes(path)).map(({ path, rank }) => line(rank, "*", path)),
    ...expectedSymbols.map(({ path, qualified }, at) =>
      line(ranks.definitions[at] ?? null, ":", `${qualified} in ${path ?? "any file"}`),
    ),
  ].join("");
}

/** Shares of the cases: all sought files are that far up, and the first one's reciprocal rank; the same of definitions. */
function overall(ranks: readonly Ranks[]): string {
  const files = ranks.map((one) => fileRankMetrics(one.files));
  const definitions = ranks
    .filter((one) => one.definitions.length > 0)
    .map((one) => symbolRankMetrics(one.definitions));
  const row = (name: string, values: readonly (number | null)[]): string =>
    `${name} ${(values.reduce((sum: number, value) => sum + (value ?? 0), 0) / values.length).toFixed(3)}`;
  const ofFiles = (["acc@1", "acc@3", "acc@5", "acc@10", "mrr", "r@10"] as const).map((name) =>
    row(
      name,
      files.map((own) => own[name]),
    ),
  );
  const ofDefinitions = (["symbol_all@5", "symbol_all@10", "symbol_any@10"] as const).map((name) =>
    row(
      name,
      definitions.map((own) => own[name]),
    ),
  );
  return `${[...ofFiles, ...ofDefinitions].join("\n")}\n`;
}

/** The parts of the file by the name of their case; that of the first part is empty. */
function sections(text: string): ReadonlyMap<string, string> {
  const [head = "", ...rest] = text.split("\n\n");
  return new Map([
    ["", head.trimEnd()],
    ...rest.map((part): [string, string] => [part.split("\n")[0] ?? "", part.trimEnd()]),
  ]);
}
