/**
 * Measures the time from a key press to the painted frame with 5,000 listed files: `npm run bench -- frames`.
 *
 * Runs the compiled binary on a 200 by 50 pseudo-terminal. A time runs from the typed byte to the end of the next
 * frame. "Alone" excludes the time that the drawing thread waited for a busy processor, as the kernel reports it;
 * "work" is its processor time. Exits with 1 and names the actions whose "alone" time exceeds the limit; on a busy machine, where
 * other threads of the program and the terminal wait too, those whose processor time does.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import type { CommandName, Context } from "../../src/tui/keys/bindings.ts";
import { openTerminal } from "../../tests/support/terminal-session.ts";
import { bytesOf, isAnswered, at as shownBy } from "../../tests/support/terminal-user.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "frames");
const FILES = 5_000;
const PRESSES = 100;

/** The repeat rate of a held key; a press waits for that long a silence, so that no late frame is taken for its own. */
const BETWEEN_MS = 40;
/** A press without a frame, since another one took it back before it was drawn, is left out. */
const UNSEEN_MS = 10_000;

/** The limit for the 95th percentile on an idle machine with two cores. */
const PAINTED_MS_MAX = 50;

type Row = { readonly what: string; readonly presses: () => readonly string[] };

const again = (context: Context, action: CommandName): Row => ({
  what: action,
  presses: () => Array.from({ length: PRESSES }, () => bytesOf(context, action)),
});
/** Alternates actions, so that each press changes the screen. */
const turns = (context: Context, presses: number, ...actions: readonly [CommandName, CommandName]): Row => ({
  what: `${actions[0]}, ${actions[1]}`,
  presses: () => Array.from({ length: presses / 2 }, () => actions.map((action) => bytesOf(context, action))).flat(),
});

/** Taken back within one frame it would show nothing, so each press waits for what the one before asked for; that takes long. */
const ALL = "mark.all, mark.undo";
const PRESSES_OF_ALL = 20;

const ROWS: readonly Row[] = [
  again("review", "list.next"),
  turns("review", PRESSES, "list.page-down", "list.page-up"),
  turns("review", PRESSES, "list.last", "list.first"),
  again("review", "mark.cycle"),
  turns("review", PRESSES_OF_ALL, "mark.all", "mark.undo"),
  turns("review", PRESSES, "reason.toggle", "reason.toggle"),
  {
    what: "letters of the filter",
    presses: () => [
      bytesOf("review", "filter.open"),
      ..."part 1 7 py part 2 3".split(""),
      ...Array.from({ length: 20 }, () => bytesOf("filter", "text.delete-left")),
      bytesOf("filter", "app.back"),
    ],
  },
];

/** Runs the benchmark. The number is an exit code. */
export async function frames(program: string): Promise<number> {
  makeRepository();
  const env = { CRA_SCOPE_SIZE: `${FILES}`, CRA_BUDGET: "100000", CRA_TOKENIZER: "approximate" };
  const home = join(FOLDER, "home");
  // Its own repository, because the folder is inside another one.
  Bun.spawnSync(["git", "init", "-q"], { cwd: FOLDER });
  const indexing = Bun.spawnSync([program, "index", "-q"], { cwd: FOLDER, env: { HOME: home, PATH: "" } });
  if (!indexing.success) throw new Error(`cra index: ${indexing.stderr.toString()}`);
  const options = { cwd: FOLDER, env, home, columns: 200, rows: 50 };
  await using session = openTerminal({ ...options, command: [program, "tui", "the voucher total of a part is wrong"] });
  await session.until(shownBy("review"));
  // All files are listed only with those that were left out.
  session.type(bytesOf("review", "leftout.toggle"));
  await session.until(/what was left out/);
  await session.still();
  session.type(`${bytesOf("review", "filter.open")}p`);
  await session.until(/5,000 of 5,000/);
  session.type(bytesOf("filter", "app.back"));
  await session.until(shownBy("review"));
  await session.still();
  const lines: string[] = [];
  const missed: string[] = [];
  for (const { what, presses } of ROWS) {
    const [times, alone, work]: [number[], number[], number[]] = [[], [], []];
    for (const bytes of presses()) {
      if (what === ALL) await session.until(isAnswered);
      await session.still(BETWEEN_MS);
      const before = processorMs(session.pid);
      const unseen = Bun.sleep(UNSEEN_MS).then(() => null);
      const time = await Promise.race([session.painted(bytes).catch(() => null), unseen]);
      if (time === null) continue;
      const after = processorMs(session.pid);
      times.push(time);
      alone.push(time - (after.waited - before.waited));
      work.push(after.worked - before.worked);
    }
    // A late answer would draw a frame that the next row takes for its own.
    await session.until(isAnswered);
    await session.still();
    const figures = [times, alone, work].flatMap((all) => [at(all, 0.5), at(all, 0.95)]);
    lines.push(`| ${[what, times.length, ...figures.map((figure) => figure.toFixed(1))].join(" | ")} |\n`);
    if (at(isBusy() ? work : alone, 0.95) > PAINTED_MS_MAX) missed.push(what);
  }
  const columns = ["", " alone", " work"].flatMap((kind) => [`p50${kind} ms`, `p95${kind} ms`]);
  process.stdout.write(
    `| ${[`action, ${FILES} files listed, 200x50`, "presses", ...columns].join(" | ")} |\n| --- |${" --: |".repeat(7)}\n${lines.join("")}`,
  );
  for (const what of missed) process.stderr.write(`bench: ${what} takes longer than ${PAINTED_MS_MAX} ms\n`);
  return missed.length === 0 ? 0 : 1;
}

/** Whether more is running than this program needs. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism();

function at(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The processor time of the drawing thread, and how long it waited for a processor. */
function processorMs(pid: number): { readonly worked: number; readonly waited: number } {
  const [worked = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number);
  return { worked: worked / 1e6, waited: waited / 1e6 };
}

function makeRepository(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  for (let n = 0; n < FILES; n += 1) {
    const folder = join(FOLDER, "parts", `group${n % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `part${n}.py`),
      // A word of the code of less than half of the files makes the task specific; the others rank by "part" and "total".
      `class Part${n}:\n    """A part with a total."""\n\n    def ${n % 5 < 2 ? "voucher" : "part"}_total(self):\n        return ${n}\n`,
    );
  }
}
