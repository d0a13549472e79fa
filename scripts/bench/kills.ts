/**
 * Kills cra at every system call that changes a file of its data folder, and at random moments: `npm run bench -- kills`, or
 * `-- kills random` for the second alone (`random-kills.ts`).
 *
 * After each kill, every command must answer with a documented exit code, the index must be intact, and the next run must
 * produce the index of a run that nobody killed. Writes `results/kills.md` and exits with 1 if anything was lost. Needs Linux on
 * x64, and the right to trace processes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultSubject, faultSubject } from "../../tests/support/fault-subject.ts";
import { canKillAtCalls, ERRANDS, type ErrandName, killedAt, pointsOf } from "../../tests/support/killed-at-calls.ts";
import { inLanes } from "./lanes.ts";
import { randomKills } from "./random-kills.ts";

const RESULTS = join(import.meta.dir, "results");
const FILES = 16;

type Row = {
  readonly errand: ErrandName;
  readonly kinds: number;
  readonly points: number;
  readonly struck: number;
  readonly breaches: readonly string[];
};

/** Returns the exit code. `random` kills at random moments only. */
export async function kills(only?: string): Promise<number> {
  if (only === "random") return await randomKills();
  if (!(await canKillAtCalls())) {
    process.stderr.write("bench: processes cannot be traced here; this needs Linux on x64\n");
    return 2;
  }
  const isLost = (await randomKills()) !== 0;
  using subject = await faultSubject(FILES);
  const rows: Row[] = [];
  for (const errand of Object.keys(ERRANDS).filter((name): name is ErrandName => name in ERRANDS)) {
    const row = await rowOf(subject, errand);
    rows.push(row);
    process.stdout.write(`${errand}: ${row.struck} kills at ${row.points} points, ${row.breaches.length} breaches\n`);
  }
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "kills.md"), report(rows));
  const breaches = rows.flatMap((row) => row.breaches);
  for (const breach of breaches) process.stderr.write(`bench: ${breach}\n`);
  return breaches.length === 0 && !isLost ? 0 : 1;
}

async function rowOf(subject: FaultSubject, errand: ErrandName): Promise<Row> {
  const passed = await pointsOf(subject, errand);
  const points = passed.flatMap(([kind, count]) => Array.from({ length: count }, (_, at) => `${at + 1} ${kind}`));
  const killed = await inLanes(points, (point) => killedAt(subject, errand, point));
  return {
    errand,
    kinds: passed.length,
    points: points.length,
    struck: killed.filter(({ struck }) => struck).length,
    breaches: killed.flatMap(({ breaches }) => breaches),
  };
}

function report(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ errand, kinds, points, struck, breaches }) =>
      `| ${errand} | ${kinds} | ${points} | ${struck} | ${breaches.length} |`,
  );
  return `# Kills

What \`npm run bench -- kills\` found: runs of the compiled binary over a repository of ${FILES} files, each killed with SIGKILL at the
beginning or the end of one system call that changes a file of the data folder. Calls are counted over all threads, and a
kind is a call with its file and size; where threads take turns in another order, a run can end before its last call of a
kind. After each kill, \`doctor\`, \`status\`, \`sessions\` and \`retrieve\`, each on a copy of what was left, had to end with 0, or
with 10 where there was no index yet; the index had to be missing, the old or the new one; and the next index run had to
produce the index of a run that nobody killed.

| killed | kinds of calls | calls | killed there | breaches |
| --- | ---: | ---: | ---: | ---: |
${lines.join("\n")}
${rows.flatMap(({ breaches }) => breaches.map((breach) => `\n- ${breach}`)).join("")}`;
}
