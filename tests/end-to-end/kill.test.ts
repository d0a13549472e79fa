/** Index runs that are killed: no data is lost, and the next run recovers without intervention. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { indexHere } from "../indexing/update/index-repo-world.ts";
import { ahead } from "../support/ahead.ts";
import { indexesAfter, randomRounds } from "../support/changing-repo.ts";
import {
  type Aftermath,
  type Beginning,
  type FaultSubject,
  faultSubject,
  indexInto,
  ON_ONE_THREAD,
} from "../support/fault-subject.ts";
import { HANG_MS } from "../support/hang.ts";
import { canKillAtCalls, killedAt as killedAtCall } from "../support/killed-at-calls.ts";
import { type RunningCra, runCra, startCra } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";

const FILES = 16;
const CAN_KILL_AT_CALLS = await canKillAtCalls();

let subject: FaultSubject;
beforeAll(async () => {
  subject = await faultSubject(FILES, indexHere);
}, HANG_MS);
afterAll(() => subject[Symbol.dispose]());

const start = (dataDir: string): Promise<RunningCra> =>
  startCra(indexInto(dataDir), { cwd: subject.repo.path, env: ON_ONE_THREAD });

/** Where runs cannot be killed at their calls, they are killed once a file has reached a size. */
type Moment = { readonly file: string; readonly bytes: number };
const MOMENTS: readonly (readonly [Beginning, Moment])[] = [
  ["nothing", { file: "lock.sqlite.holder.json", bytes: 0 }],
  ["nothing", { file: "curated.sqlite", bytes: 0 }],
  ["nothing", { file: "parse-cache.sqlite-wal", bytes: 1 }],
  ["nothing", { file: "curated.sqlite-wal", bytes: 200_000 }],
  ["first state", { file: "curated.sqlite-wal", bytes: 1 }],
  ["first state", { file: "curated.sqlite-wal", bytes: 60_000 }],
  ["first state", { file: "raw.sqlite-wal", bytes: 0 }],
];

async function killedAt([beginning, moment]: (typeof MOMENTS)[number]): Promise<Aftermath> {
  const dataDir = subject.begin(beginning);
  await using cra = await start(dataDir);
  await reached(cra, join(dataDir, moment.file), moment.bytes);
  cra.kill("SIGKILL");
  await cra.ended;
  return await subject.after(dataDir);
}

/** Waits until a file has this size, or the run is over. */
async function reached({ ended }: RunningCra, path: string, bytes: number): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && (statSync(path, { throwIfNoEntry: false })?.size ?? -1) < bytes) await Bun.sleep(1);
}

/** After its first change of a file, in the middle of what it writes most, and near its end; `npm run bench -- kills` takes all of them. */
const POINTS = {
  "first index": ["mkdir sessions", "pwrite curated.sqlite-wal 32", "pwrite raw.sqlite 4096"],
  "next index": ["mkdir sessions", "pwrite curated.sqlite-wal 32", "ftruncate raw.sqlite"],
  "first answer": ["mkdir sessions", "pwrite parse-cache.sqlite-wal 32", "ftruncate raw.sqlite"],
} as const;

describe.skipIf(!CAN_KILL_AT_CALLS)("killed at a call that changes a file (needs ptrace on Linux x64)", () => {
  test.each(["first index", "next index", "first answer"] as const)(
    "every command answers after each state that the %s can leave, and the next run completes the new one",
    async (errand) => {
      const points = POINTS[errand].map((kind) => `1 ${kind} done`);
      const killed = ahead(points, (point) => killedAtCall(subject, errand, point, runQuickest));
      const left = await Promise.all(points.map((_, at) => killed(at)));
      expect(left.flatMap(({ breaches }) => breaches)).toEqual([]);
      // Its threads may take turns in another order, so that it ends before a point.
      expect(left.filter(({ struck }) => struck).length).toBeGreaterThan(points.length / 2);
    },
    HANG_MS,
  );
});

if (!CAN_KILL_AT_CALLS)
  describe("killed during indexing: the old or the new index remains, and the next run completes the new one", () => {
    const killed = ahead(MOMENTS, killedAt);
    test.each(MOMENTS.map(([beginning, moment], at) => [JSON.stringify(moment), beginning, at] as const))(
      "at %s, starting from %s",
      async (_, __, at) => {
        expect((await killed(at)).breaches).toEqual([]);
      },
      HANG_MS,
    );
  });

test(
  "the lock of a killed run is free at once for a waiting run",
  async () => {
    const dataDir = subject.begin("nothing");
    const started = performance.now();
    await using holder = await start(dataDir);
    await reached(holder, join(dataDir, "lock.sqlite.holder.json"), 1);
    const untilHeldMs = performance.now() - started;
    await using waiting = await start(dataDir);
    await Bun.sleep(untilHeldMs / 5);
    holder.kill("SIGKILL");
    expect(await waiting.ended).toEqual({ exitCode: 0, signal: null });
    expect(await subject.after(dataDir)).toEqual({ seen: "second", breaches: [] });
  },
  HANG_MS,
);

test(
  "of several concurrent index runs, each finishes or names the lock holder, and one complete index results",
  async () => {
    const dataDir = subject.begin("first state");
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => runCra(indexInto(dataDir), { cwd: subject.repo.path, env: ON_ONE_THREAD })),
    );
    for (const { exitCode, stderr } of runs) {
      expect([0, 11]).toContain(exitCode ?? -1);
      if (exitCode === 11)
        expect(stderr).toMatch(/^cra: another cra is writing this index \(process \d+ on \S+, since /);
      else expect(stderr).toBe("");
    }
    expect(runs.some(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(await subject.after(dataDir)).toEqual({ seen: "second", breaches: [] });
  },
  HANG_MS,
);

test(
  "readers during indexing see a complete index and are never refused",
  async () => {
    const dataDir = subject.begin("first state");
    const options = { cwd: subject.repo.path, env: { ...ON_ONE_THREAD, CRA_DATA_DIR: dataDir } };
    let isOver = false;
    const reading = [
      [["search", "run5", "--limit", "100"], ["status"]],
      [["retrieve", "Part5.run is slow", "--no-refresh", "-q", "--tokenizer", "approximate"]],
    ].map(async (turns) => {
      const endings: string[] = [];
      do {
        for (const args of turns) {
          const { exitCode, stderr } = await runCra(args, options);
          endings.push(`${exitCode} ${stderr}`);
        }
      } while (!isOver);
      return endings;
    });
    expect(await runCra(["index", "-q", "--rebuild"], options)).toMatchObject({ exitCode: 0, stderr: "" });
    isOver = true;
    expect([...new Set((await Promise.all(reading)).flat())]).toEqual(["0 "]);
    expect(await subject.after(dataDir)).toEqual({ seen: "second", breaches: [] });
  },
  HANG_MS,
);

test(
  "after any history of edits, branches and kills, the index equals a fresh one",
  async () => {
    await fc.assert(
      fc.asyncProperty(randomRounds, async (rounds) => {
        const { grown, fresh } = await indexesAfter(rounds, indexHere);
        expect(grown).toBe(fresh);
      }),
      { numRuns: 2 },
    );
  },
  HANG_MS,
);
