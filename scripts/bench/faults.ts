/**
 * Injects hundreds of faults into index runs and checks that no data is lost: `npm run bench -- faults`.
 *
 * After every fault the index must be intact and be missing, the old or the new one; git must see no change; a run that
 * the disk refused must exit with its own code; and the next run must produce the same index as a run without faults.
 * `kills.ts` kills runs. Positions come from a fixed pseudo-random sequence. Writes `results/faults.md` and exits with 1 if data was
 * lost. Faults that need a tool this machine lacks are named and skipped.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { indexesAfter, randomRounds } from "../../tests/support/changing-repo.ts";
import { type FaultSubject, faultSubject } from "../../tests/support/fault-subject.ts";
import { freshBinary } from "../binary.ts";
import { FAULTS, type FaultKind, type Trial, trialOf } from "./faults-table.ts";
import { inLanes } from "./lanes.ts";

const RESULTS = join(import.meta.dir, "results");

const FILES = 60;
/** Repositories with random changes, branches and kills. */
const PASTS = 25;

type Row = { readonly kind: FaultKind; readonly trials: readonly Trial[] };

/** Returns the exit code. */
export async function faults(): Promise<number> {
  await freshBinary();
  using subject = await faultSubject(FILES);
  const rows: Row[] = [];
  const leftOut: string[] = [];
  for (const kind of FAULTS) {
    const missing = kind.missing();
    if (missing !== null) {
      leftOut.push(`${kind.name}: ${missing}`);
      continue;
    }
    const trials = await inLanes(kind.places, (place, number) => trialOf(kind, place, number, subject));
    rows.push({ kind, trials });
    process.stdout.write(`${kind.name}: ${trials.length} trials, ${lossesOf({ kind, trials }).length} losses\n`);
  }
  const pasts = fc.sample(randomRounds, { numRuns: PASTS, seed: 3 });
  const differing = await inLanes(pasts, async (rounds) => {
    const { grown, fresh } = await indexesAfter(rounds);
    return grown === fresh ? [] : [`differs from a fresh index after ${JSON.stringify(rounds)}`];
  });
  process.stdout.write(`random histories: ${pasts.length} trials, ${differing.flat().length} losses\n`);
  const losses = [...rows.flatMap(lossesOf), ...differing.flat()];
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "faults.md"), report(rows, leftOut, losses, subject));
  for (const loss of losses) process.stderr.write(`bench: ${loss}\n`);
  return losses.length === 0 ? 0 : 1;
}

const lossesOf = ({ kind, trials }: Row): readonly string[] =>
  trials.flatMap(({ place, breaches }) => breaches.map((breach) => `${kind.name}, ${place}: ${breach}`));

function report(
  rows: readonly Row[],
  leftOut: readonly string[],
  losses: readonly string[],
  { repo }: FaultSubject,
): string {
  const count = rows.reduce((sum, { trials }) => sum + trials.length, 0);
  const lines = rows.map(({ kind, trials }) => {
    const reached = trials.filter(({ struck }) => struck).length;
    const seen = ["none", "first", "second"].map((state) => trials.filter((trial) => trial.seen === state).length);
    const cells = [kind.name, trials.length, reached, ...seen, tally(trials), lossesOf({ kind, trials }).length];
    return `| ${cells.join(" | ")} |`;
  });
  const words = rows.flatMap(({ kind, trials }) =>
    [...new Set(trials.map(({ message }) => message).filter((message) => message !== ""))].map(
      (message) => `- ${kind.name}: \`${message.replaceAll(repo.path, "<repository>")}\``,
    ),
  );
  return `# Faults

What \`npm run bench -- faults\` found: index runs of the compiled binary over a repository of ${FILES} files with history,
half of them starting without an index and half from that of an older state, each with one fault. "Struck" counts the
runs that the fault reached before they had ended. After each run, the index was either missing, the old one or the new
one, and the next run had to produce the index of a run without faults, with no change that git sees and, unless the
fault hit reading, without moving a database aside. One fault can strike several threads of a run, because each counts
its own calls.

| fault | trials | struck | no index | old | new | exit of the faulted runs | losses |
| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |
${lines.join("\n")}

${count} faults, and ${PASTS} repositories with a random history of edits, renames, removals, commits, branches and killed
runs, whose index must equal a fresh one: ${losses.length} losses.
${losses.map((loss) => `- ${loss}\n`).join("")}${leftOut.map((name) => `- left out: ${name}\n`).join("")}
Messages of the faulted runs:

${words.join("\n")}
`;
}

/** \`74 x 12, 0 x 3\`, the most frequent first. */
function tally(trials: readonly Trial[]): string {
  const counts = new Map<string, number>();
  for (const { ending } of trials) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([ending, n]) => `${ending} × ${n}`)
    .join(", ");
}
