/**
 * Compares the import edges of TypeScript repositories with what TypeScript itself resolves:
 *     bun scripts/bench/typescript-imports.ts [--repos DIR] [--only owner/name] [--verbose] [--write]
 *
 * `typescript-imports-oracle.mjs` is the oracle. An edge is an indexed importing file and an indexed imported one;
 * importers are TypeScript and JavaScript files. An edge that only cra has is wrong unless
 * `typescript-imports-judge.ts` explains it. `--write` writes `results/typescript-imports.md`. Exits with 1 if an edge
 * is wrong or agreement is below 99 %. `typescript` 5 is installed into `dist/bench`, because the compiler of this
 * project cannot resolve imports for other programs.
 */

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { familyOf } from "../../src/indexing/imports/model.ts";
import { compareEdges, differencesOf, type EdgeComparison, finish, ourEdges } from "./import-edges.ts";
import { type Checkout, checkout, indexedFiles, type Repository } from "./repositories.ts";
import { runMain } from "./run-main.ts";
import { REASONS, typescriptJudge } from "./typescript-imports-judge.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench");
const TYPESCRIPT = "5.9.3";

const REPOSITORIES: readonly Repository[] = [
  { repository: "vuejs/core", commit: "e2bede96134f757aad5c5b33ac9be055022dbfc8" },
  { repository: "TanStack/query", commit: "40321a0b1b3bdd0afa11f0e439642ab84cdf6afe" },
  { repository: "trpc/trpc", commit: "340811ba5320637fbaf48fccf3dbfdd258bd34db" },
  { repository: "vitejs/vite", commit: "a98c8d95d552c6fa98ab66fb810f5b39ad5abf49" },
  { repository: "withastro/astro", commit: "99d3d3dbbfa4fd7b128a056337f1a719437a7377" },
  { repository: "honojs/hono", commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392" },
  { repository: "typeorm/typeorm", commit: "281bfba42a5813b106bcf5ba79bc7f7251bd1e73" },
  { repository: "eslint/eslint", commit: "c27bc926e496985eb7911c09eb60914b2e4b5d0f" },
];

const PAGE = {
  name: "typescript-imports",
  title: "Import edges, compared with TypeScript's own resolution",
  words: [
    `Made by \`bun scripts/bench/typescript-imports.ts --write\`, with typescript ${TYPESCRIPT} as the oracle.`,
    "Both: edges that cra and TypeScript have. Missed: only TypeScript has them. Wrong: only cra has them, and",
    "TypeScript could. Agreement: the share of both in these three. The last columns count edges of cra that TypeScript cannot",
    "have, or that lead to another file of the same module:",
    "",
    ...Object.values(REASONS).map((reason) => `- ${reason.name}: ${reason.words}`),
  ].join("\n"),
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repos: { type: "string", default: join(FOLDER, "repos") },
      only: { type: "string" },
      verbose: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const typescript = await installedTypescript();
  const comparisons: EdgeComparison[] = [];
  for (const repository of REPOSITORIES) {
    if (values.only !== undefined && values.only !== repository.repository) continue;
    const comparison = await compare(checkout(values.repos, repository), typescript);
    if (values.verbose) process.stdout.write(differencesOf(comparison));
    comparisons.push(comparison);
  }
  return finish(PAGE, comparisons, values.write) ? 0 : 1;
}

async function compare(at: Checkout, typescript: string): Promise<EdgeComparison> {
  const files = await indexedFiles(at.folder);
  const importers = files.filter(({ path, language }) => familyOf(language) === "ecmascript" && MODULE.test(path));
  const { imports, unresolved } = await askOracle(at, typescript, {
    files: importers.map(({ path }) => path),
    manifests: files.flatMap(({ path }) => (/(?:^|\/)package\.json$/.test(path) ? [path] : [])),
  });
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const theirs = imports.flatMap(({ path, ...edge }) => (texts.has(edge.target) ? [{ source: path, ...edge }] : []));
  const unindexed = imports.filter(({ target }) => !texts.has(target));
  const judge = typescriptJudge(texts, unresolved, unindexed);
  return compareEdges(at, new Set(importers.map(({ path }) => path)), { ours: await ourEdges(files), theirs }, judge);
}

const MODULE = /\.[mc]?[jt]sx?$/;

const Answer = z.object({
  imports: z.array(z.object({ path: z.string(), specifier: z.string(), target: z.string() })),
  unresolved: z.array(z.object({ path: z.string(), specifier: z.string() })),
});

type Asked = { readonly files: readonly string[]; readonly manifests: readonly string[] };

async function askOracle({ folder }: Checkout, typescript: string, asked: Asked): Promise<z.infer<typeof Answer>> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "typescript-imports-oracle.mjs")], {
    stdin: new Blob([JSON.stringify({ typescript, root: folder, ...asked })]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`the oracle failed: ${errors.trim()}`);
  return Answer.parse(JSON.parse(output));
}

/** The folder of the oracle's package, installed through npm if missing. */
async function installedTypescript(): Promise<string> {
  const prefix = join(FOLDER, `typescript-${TYPESCRIPT}`);
  const folder = join(prefix, "node_modules", "typescript");
  if (existsSync(folder)) return folder;
  const npm = Bun.which("npm");
  if (npm === null) throw new Error("npm, which fetches typescript, is not on the PATH; install it and run again");
  mkdirSync(prefix, { recursive: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = Bun.spawn([npm, "install", "--prefix", prefix, ...options, `typescript@${TYPESCRIPT}`], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`npm cannot install typescript@${TYPESCRIPT}: ${errors.trim()}`);
  return folder;
}

await runMain("typescript-imports", main);
