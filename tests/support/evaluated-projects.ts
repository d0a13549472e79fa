/**
 * The projects that `tests/corpus/eval_cases.json` is about, copied to where they are repositories of their own: this
 * one (without the cases, which would be found first), and gyp, a Python project that comes with the package node-gyp.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** The case file; its `repo_path`s start at its folder. */
export const EVALUATED_CASES = join(ROOT, "tests", "corpus", "eval_cases.json");

/** What is copied: folders and files of `from`, without those that `leftOut` names. */
const PROJECTS = {
  cra: {
    from: ROOT,
    parts: ["src", "scripts", "tests", "package.json", "tsconfig.json", "README.md"],
    leftOut: ["tests/corpus"],
  },
  gyp: { from: join(ROOT, "node_modules", "node-gyp", "gyp"), parts: ["."], leftOut: [] },
} as const;

export type EvaluatedProject = keyof typeof PROJECTS;
export const EVALUATED_PROJECTS: readonly EvaluatedProject[] = ["cra", "gyp"];

/** The folder that a project is copied from. */
export const evaluatedProjectSource = (name: EvaluatedProject): string => PROJECTS[name].from;

/** Copies a project to `folder`, in place of what is there, and makes that a git repository (of no commits). */
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
