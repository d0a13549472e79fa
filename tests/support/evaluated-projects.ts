/**
 * Copies those projects of `tests/corpus/eval_cases.json` that are at hand into repositories of their own: this project (without
 * the cases themselves and their figures, which would rank first) and gyp, a Python project bundled with node-gyp.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** The case file; its `repo_path`s are relative to its folder. */
export const EVALUATED_CASES = join(ROOT, "tests", "corpus", "eval_cases.json");

/** What to copy: folders and files of `from` except those in `leftOut`. */
const PROJECTS = {
  cra: {
    from: ROOT,
    parts: ["src", "scripts", "tests", "package.json", "tsconfig.json", "README.md"],
    leftOut: ["tests/corpus", "scripts/bench/results"],
  },
  gyp: { from: join(ROOT, "node_modules", "node-gyp", "gyp"), parts: ["."], leftOut: [] },
} as const;

export type EvaluatedProject = keyof typeof PROJECTS;
export const EVALUATED_PROJECTS: readonly EvaluatedProject[] = ["cra", "gyp"];

/** The source folder of a project. */
export const evaluatedProjectSource = (name: EvaluatedProject): string => PROJECTS[name].from;

/** Replaces `folder` by a copy of a project and makes it a git repository without commits. */
export function copyEvaluatedProject(name: EvaluatedProject, folder: string): void {
  const { from, parts, leftOut } = PROJECTS[name];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const without = new Set<string>(leftOut);
  const filter = (path: string): boolean => !without.has(relative(from, path).replaceAll("\\", "/"));
  for (const part of parts) cpSync(join(from, part), join(folder, part), { recursive: true, filter });
  const { success, stderr } = Bun.spawnSync(["git", "init", "--quiet", folder]);
  if (!success) throw new Error(stderr.toString().trim());
}
