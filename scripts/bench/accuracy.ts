/**
 * Compares cra's definitions in real repositories with those of Universal Ctags, language by language:
 *     bun scripts/bench/accuracy.ts [--repos DIR] [--only language] [--write]
 *
 * Repositories are pinned by commit. Missing ones are fetched from GitHub into the folder (`dist/bench/repos` by
 * default). `--write` writes `results/accuracy.md`. Exits with 1 if a share is below 98 % or a repository is missing,
 * with 2 if ctags is missing. `ctags-compare.ts` defines a match.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Comparison, compareWithCtags } from "./ctags-compare.ts";
import { ctagsProblem } from "./ctags-problem.ts";
import { type Checkout, checkout, type Repository } from "./repositories.ts";
import { runMain } from "./run-main.ts";

const REPOS = join(import.meta.dir, "..", "..", "dist", "bench", "repos");
const RESULT = join(import.meta.dir, "results", "accuracy.md");
const SHARE_MIN = 0.98;

const TABLE: readonly (Repository & { readonly language: string })[] = [
  { language: "python", repository: "pallets/flask", commit: "2ac89889f4cc330eabd50f295dcef02828522c69" },
  { language: "python", repository: "pydata/xarray", commit: "b1c1dc549b62bdfc8de0bdded24f56464cf0db1a" },
  { language: "typescript", repository: "vuejs/core", commit: "e2bede96134f757aad5c5b33ac9be055022dbfc8" },
  { language: "typescript", repository: "trpc/trpc", commit: "340811ba5320637fbaf48fccf3dbfdd258bd34db" },
  { language: "tsx", repository: "TanStack/query", commit: "40321a0b1b3bdd0afa11f0e439642ab84cdf6afe" },
  { language: "javascript", repository: "expressjs/express", commit: "a3714473feb3d2908add734d340e7755fd85e0a3" },
  { language: "javascript", repository: "eslint/eslint", commit: "c27bc926e496985eb7911c09eb60914b2e4b5d0f" },
  { language: "go", repository: "gin-gonic/gin", commit: "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9" },
  { language: "go", repository: "hashicorp/raft", commit: "1837036daf50bd973bcb0f3fc536b2d451cebf5d" },
  { language: "rust", repository: "BurntSushi/ripgrep", commit: "3fce3b5bb0236da2df6d99672afb8a719642eca7" },
  { language: "rust", repository: "tokio-rs/axum", commit: "3d78036dcac289d6c1d54934708acb6a5bd73686" },
  { language: "java", repository: "google/gson", commit: "9835b6f90192f79cdf5300c528fc6212455fb6c1" },
  { language: "java", repository: "apache/commons-lang", commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52" },
  { language: "kotlin", repository: "square/okio", commit: "4164f2976ac7174f3d35d52150e8ffbdbe0acbec" },
  { language: "c", repository: "redis/hiredis", commit: "29ea2791c102fdffff350f1ea6e04d1f71903d0d" },
  { language: "c", repository: "jqlang/jq", commit: "579e6f76cffd7643ba4002a2c3618a5ea710589a" },
  { language: "cpp", repository: "fmtlib/fmt", commit: "60ccad511fd680cb91d8b60a315759f71c67bef9" },
  { language: "cpp", repository: "google/leveldb", commit: "78a352f47ed6c1e9d750545e9b242289185b87e1" },
  { language: "csharp", repository: "serilog/serilog", commit: "60935b4d7abad71cf6157b45a10f5c3c65ead527" },
  { language: "csharp", repository: "App-vNext/Polly", commit: "173d6d1d2e28a4697f1ac1d22da68f77ff19a0c9" },
  { language: "ruby", repository: "sinatra/sinatra", commit: "cb22afd7902b566b6eaba6c4ea89739494a65d12" },
  { language: "ruby", repository: "jekyll/jekyll", commit: "202df571314ba1d18e9fccd81d12aaad4a703c38" },
  { language: "php", repository: "guzzle/guzzle", commit: "2779e868a00289e1b1fd854af030c43a06f4bcb4" },
  { language: "php", repository: "symfony/console", commit: "6b099f3306f7c9c2d2786ed736d0026b2903205f" },
  { language: "lua", repository: "luvit/luvit", commit: "c15b46a2ec9dd7c7e4c958c96c792d7028e4e95e" },
  { language: "elixir", repository: "elixir-plug/plug", commit: "a898c454a04ca5ffad306bd751a15c7ac9ff6927" },
  { language: "bash", repository: "bats-core/bats-core", commit: "d22e41faad59f5fd942a88c992b4913a27a460c4" },
];

const WORDS = `Made by \`bun scripts/bench/accuracy.ts --write\`.
Definitions: the functions, methods, classes, structs, interfaces, enums and traits that Universal Ctags finds in the
files that cra indexes, without known errors of ctags by the rules in \`ctags-languages.ts\` (left out).
Found: cra has a symbol of that name on that line.`;

type Row = { readonly at: Checkout; readonly language: string; readonly comparison: Comparison };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repos: { type: "string", default: REPOS },
      only: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const problem = ctagsProblem();
  if (problem !== null) {
    process.stderr.write(`accuracy: ${problem}\n`);
    return 2;
  }
  const rows: Row[] = [];
  let missing = 0;
  for (const { language, ...repository } of TABLE) {
    if (values.only !== undefined && values.only !== language) continue;
    const at = found(values.repos, repository);
    if (at === null) missing += 1;
    else rows.push({ at, language, comparison: await compareWithCtags(at.folder, language) });
  }
  const text = pageOf(rows);
  process.stdout.write(text);
  if (values.write) writeFileSync(RESULT, text);
  return missing === 0 && rows.every(({ comparison }) => shareOf(comparison) >= SHARE_MIN) ? 0 : 1;
}

function found(repos: string, repository: Repository): Checkout | null {
  try {
    return checkout(repos, repository);
  } catch (error) {
    process.stderr.write(`accuracy: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

const shareOf = ({ total, found }: Comparison): number => (total === 0 ? 1 : found / total);

function pageOf(rows: readonly Row[]): string {
  const line = (cells: readonly unknown[]): string => `| ${cells.join(" | ")} |`;
  const lines = [
    line(["language", "repository", "commit", "files", "definitions", "found", "share", "left out"]),
    line(["---", "---", "---", "---:", "---:", "---:", "---:", "---:"]),
    ...rows.map(({ at, language, comparison }) => {
      const { files, total, found, faults } = comparison;
      const left = [...faults.values()].reduce((sum, count) => sum + count, 0);
      const share = `${(100 * shareOf(comparison)).toFixed(2)} %`;
      return line([language, at.repository, at.commit.slice(0, 12), files, total, found, share, left]);
    }),
  ];
  return `# Definitions, compared with Universal Ctags\n\n${WORDS}\n\n${lines.join("\n")}\n`;
}

await runMain("accuracy", main);
