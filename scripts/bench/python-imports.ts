/**
 * Compares the import edges of Python repositories with what Python itself resolves:
 *     bun scripts/bench/python-imports.ts [--repos DIR] [--only owner/name] [--verbose] [--write]
 *
 * `python_imports.py` is the oracle; the path roots of each project are listed here. An edge is an indexed importing
 * file and an indexed imported one. An edge that only cra has is wrong unless `isAbove` explains why Python cannot have
 * it. `--write` writes `results/python-imports.md`. Exits with 1 if an edge is wrong or agreement is below 99 %.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { compareEdges, differencesOf, type EdgeComparison, finish, type Judge, ourEdges } from "./import-edges.ts";
import { checkout, indexedFiles, type Repository } from "./repositories.ts";
import { runMain } from "./run-main.ts";

const REPOS = join(import.meta.dir, "..", "..", "dist", "bench", "repos");

type Project = Repository & { readonly roots: readonly string[] };

const PROJECTS: readonly Project[] = [
  {
    repository: "pallets/flask",
    commit: "2ac89889f4cc330eabd50f295dcef02828522c69",
    roots: ["src", "examples/tutorial", "examples/javascript", "examples/celery/src"],
  },
  { repository: "pytest-dev/pytest", commit: "df87db7b0462fb764ef73fa00561adf8ad047572", roots: ["src"] },
  { repository: "psf/requests", commit: "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e", roots: ["src"] },
  { repository: "pydata/xarray", commit: "b1c1dc549b62bdfc8de0bdded24f56464cf0db1a", roots: [] },
  {
    repository: "googleapis/google-auth-library-python",
    commit: "2ea24b03436765fa3cf279ce148482ff6332136b",
    roots: [],
  },
];

const PAGE = {
  name: "python-imports",
  title: "Import edges, compared with Python's own resolution",
  words: [
    "Made by `bun scripts/bench/python-imports.ts --write`, with Python's `ast` and `importlib` as the oracle.",
    "Both: edges that cra and Python have. Missed: only Python has them. Wrong: only cra has them, and Python could.",
    "Agreement: the share of both in these three. The last column counts edges of cra to the package",
    "above a module that is not in the repository (built, generated, or created by code), which Python loads first.",
  ].join("\n"),
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repos: { type: "string", default: REPOS },
      only: { type: "string" },
      verbose: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const comparisons: EdgeComparison[] = [];
  for (const project of PROJECTS) {
    if (values.only !== undefined && values.only !== project.repository) continue;
    const comparison = await compare(values.repos, project);
    if (values.verbose) process.stdout.write(differencesOf(comparison));
    comparisons.push(comparison);
  }
  return finish(PAGE, comparisons, values.write) ? 0 : 1;
}

async function compare(repos: string, { roots, ...repository }: Project): Promise<EdgeComparison> {
  const at = checkout(repos, repository);
  const files = await indexedFiles(at.folder);
  const importers = files.flatMap(({ path }) => (path.endsWith(".py") ? [path] : []));
  const imports = await askOracle({ root: at.folder, files: importers, roots });
  const indexed = new Set(files.map(({ path }) => path));
  const theirs = imports.flatMap(({ path, ...edge }) => (indexed.has(edge.target) ? [{ source: path, ...edge }] : []));
  return compareEdges(at, new Set(importers), { ours: await ourEdges(files), theirs }, isAbove);
}

/**
 * For a module that does not exist (built, generated, or created by code) cra resolves to the deepest package above it,
 * which Python loads first.
 */
const isAbove: Judge = ({ target, specifier }, theirs) => {
  const parts = specifier.split(".");
  const above = parts.map((_, at) => parts.slice(0, at).join("/")).slice(1);
  const module = `/${target.replace(/(?:\/__init__)?\.pyi?$/, "")}`;
  return theirs.length === 0 && above.some((path) => module.endsWith(`/${path}`)) ? "package above" : null;
};

const Answer = z.object({
  imports: z.array(z.object({ path: z.string(), specifier: z.string(), target: z.string() })),
});

type Asked = { readonly root: string; readonly files: readonly string[]; readonly roots: readonly string[] };

async function askOracle(asked: Asked): Promise<z.infer<typeof Answer>["imports"]> {
  const python = Bun.which("python3");
  if (python === null) throw new Error("python3 is not on the PATH; install Python 3.10 or newer");
  const child = Bun.spawn([python, "-I", join(import.meta.dir, "python_imports.py")], {
    stdin: new Blob([JSON.stringify(asked)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`the oracle failed: ${errors.trim()}`);
  return Answer.parse(JSON.parse(output)).imports;
}

await runMain("python-imports", main);
