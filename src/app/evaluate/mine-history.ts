/** Connects mining to a repository: its history, the changes of its commits, and the parser. */

import type { ReadCase } from "../../evaluation/cases.ts";
import { mineCases, type SymbolSpan } from "../../evaluation/mining/mine.ts";
import { changedFiles } from "../../evaluation/mining/unified-diff.ts";
import { Failed } from "../../failure.ts";
import { languageIn } from "../../languages/script-language.ts";
import { openHistory } from "../../source/history/open-history.ts";
import { openCommits } from "../../source/revisions/commit-diff.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import { openConfig } from "../app.ts";
import { parseFew } from "../indexing/parse-few.ts";
import type { Environment } from "../workspace/environment.ts";

/** The newest commits to consider. */
const COMMITS_MAX = 20_000;

type MineRequest = {
  readonly environment: Environment;
  /** A folder in the repository. */
  readonly start: string;
  readonly casesMax: number;
  onProgress(done: number, total: number): void;
};

/** The repository's root, and cases from its history, newest first. Reads only. Throws if there are none. */
export async function mine(
  { environment, start, casesMax, onProgress }: MineRequest,
  signal: AbortSignal,
): Promise<{ readonly root: string; readonly cases: readonly ReadCase[] }> {
  const { root } = await openConfig({ environment, repo: start, flags: [] });
  if (root === null) throw new Failed({ code: "no-repository", path: start, why: "it is a bare repository" });
  const { variables } = environment;
  const commits = openCommits(root, variables, signal);
  if (commits === null)
    throw new Failed({ code: "usage", message: "--from-git needs git, which is not installed", next: "use --cases" });
  const history = await openHistory(variables).readHistory(root, {
    commitsMax: COMMITS_MAX,
    signal,
  });
  signal.throwIfAborted();
  if (history.problem !== null) throw new Failed({ code: "no-repository", path: root, why: history.problem });
  const pool = openParsePool({ workersMax: 1 });
  const parser = parseFew(pool);
  try {
    const cases = await mineCases(
      {
        commits: history.commits,
        changes: async (hash) => {
          const diff = await commits.diff(hash);
          return diff === null ? null : { parent: diff.parent, files: changedFiles(diff.text) };
        },
        spans: async (commit, path): Promise<readonly SymbolSpan[]> => {
          const text = await commits.text(commit, path);
          if (text === null) return [];
          const { facts } = await parser.parse({ text, language: languageIn(path, text) }, signal);
          return facts.symbols.map(({ name, qualifiedName, startLine, endLine }) => ({
            name,
            qualified: qualifiedName,
            start: startLine,
            end: endLine,
          }));
        },
      },
      { casesMax, signal, onProgress },
    );
    if (cases.length > 0) return { root, cases: cases.map((one) => ({ ...one, repoPath: null })) };
    throw new Failed({
      code: "no-match",
      message: `none of the ${history.commits.length} newest commits states a task and changes a few source files`,
    });
  } finally {
    pool.close();
  }
}
