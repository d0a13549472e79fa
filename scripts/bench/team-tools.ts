/** What the benchmarks of a team's store share: stores, clones, tasks and packages. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../../tests/support/run-here.ts";

export { newStore } from "../../tests/support/team-store.ts";

/** The package of a task, as the index of a checkout gives it now. */
export const packageOf = async (cwd: string, task: string): Promise<string> =>
  (await runHere(["retrieve", task, "--format", "json", "--no-refresh"], { cwd })).stdout;

/** Runs git, and returns what it printed. */
export function git(cwd: string, ...words: readonly string[]): string {
  const ran = Bun.spawnSync(["git", ...words], { cwd, stderr: "pipe" });
  if (!ran.success) throw new Error(ran.stderr.toString());
  return ran.stdout.toString();
}

/** Subjects of commits, spread over the history. */
export function tasksOf(repo: string, tasksMax: number): readonly string[] {
  const all = git(repo, "log", "--no-merges", "--format=%s", "-n", "2000").split("\n");
  const wordy = [...new Set(all)].filter((subject) => subject.split(" ").length >= 4 && !subject.startsWith("-"));
  const step = Math.max(1, Math.floor(wordy.length / tasksMax));
  return wordy.filter((_, at) => at % step === 0).slice(0, tasksMax);
}

const RESULT = join(import.meta.dir, "results", "team.md");

/** Replaces a section of `results/team.md`, or the part before all sections for a null title. */
export function writeSection(title: string | null, text: string): void {
  const before = existsSync(RESULT) ? readFileSync(RESULT, "utf8") : "";
  const [head = "", ...sections] = before.split(/^(?=## )/m);
  const others = sections.filter((section) => title === null || !section.startsWith(`## ${title}\n`));
  const own = title === null ? [text, ...others] : [head, ...others, `## ${title}\n\n${text}`];
  writeFileSync(RESULT, `${own.map((part) => part.trim()).join("\n\n")}\n`);
}
