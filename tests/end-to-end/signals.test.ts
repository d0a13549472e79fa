/** Ctrl-C, a terminated process, a terminal that is gone: the end comes, with its code, and nothing is lost. */
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";
import { ON_ONE_THREAD } from "../support/fault-subject.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { canLook, leftOver } from "../support/processes.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, openCra, runCra, runShell, startCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/** cra stops git after 30 s (`git/process.ts`): a run that waits for that instead of its signal ends later than this. */
const BEFORE_GIT_IS_STOPPED_MS = 25_000;

/** Long enough to be stopped in, also where the one that stops it waits for a processor. */
const files = (version: number) =>
  Object.fromEntries(
    Array.from({ length: 8 }, (_, file) => [
      `pkg/part_${file}.py`,
      Array.from(
        { length: 150 },
        (_, at) => `def handle_${file}_${at}(value):\n    """Handles ${version}."""\n    return value + ${at}\n`,
      ).join("\n"),
    ]),
  );

/** Shown once the parsers work. */
const PARSING = /parse {2}[\d.]+ (?:[KM]i)?B? ?of /;

const contentHash = ({ stdout }: CraRun): string => /"content_hash": "(\w+)"/.exec(stdout)?.[1] ?? "";

const repo = shared(tempRepo(files(0), { git: true }));
await indexIn(repo);

describe("during indexing", () => {
  // Ctrl-C is below, on a terminal.
  test.each(SIGNALS.filter(([signal]) => signal !== "SIGINT"))(
    "%s ends it and leaves no process running",
    async (signal, code) => {
      repo.write(files(code));
      using home = tempFolder();
      // One of them with as many threads as it likes.
      const env = signal === "SIGTERM" ? {} : ON_ONE_THREAD;
      await using cra = await openCra(["index"], { cwd: repo.path, home: home.path, env });
      await cra.waitFor(PARSING);
      cra.kill(signal);
      expect(await cra.ended).toEqual({ exitCode: code, signal: null });
      expect(cra.output()).toEndWith(`cra: stopped by ${signal}\r\n`);
      if (canLook) expect(await leftOver(home.path)).toEqual([]);
    },
    HANG_MS,
  );

  test(
    "a stopped run leaves the old index intact, and the next run completes the new one",
    async () => {
      const before = await runCra(["search", "handle_3_7"], { cwd: repo.path });
      expect([before.exitCode, before.stdout.includes("pkg/part_3.py")]).toEqual([0, true]);
      const again = await runCra(["index", "--json"], { cwd: repo.path, env: ON_ONE_THREAD });
      expect(again.exitCode).toBe(0);
      using copy = tempFolder();
      cpSync(repo.path, copy.path, { recursive: true, filter: (path) => !path.endsWith("/.cra") });
      const fresh = await runIndex(onOneThread(world(copy.path, join(copy.path, ".cra"), sharedPool())));
      expect(contentHash(again)).toBe(fresh.meta.contentHash);
    },
    HANG_MS,
  );

  // The two others are below, on a terminal.
  test(
    "SIGTERM also ends a child process that it waits for",
    async () => {
      using stuck = withStuckGit();
      await using cra = await startCra(["index"], { cwd: repo.path, ...stuck });
      await stuck.started();
      cra.kill("SIGTERM");
      expect(await cra.ended).toEqual({ exitCode: 143, signal: null });
      if (canLook) expect(await leftOver(stuck.home)).toEqual([]);
    },
    BEFORE_GIT_IS_STOPPED_MS,
  );
});

describe("during retrieval", () => {
  test.each(SIGNALS)(
    "%s ends it during a stage, even if nobody reads its output",
    async (signal, code) => {
      using home = tempFolder();
      await using cra = await startCra(["retrieve", "-", "--events", "jsonl", "--no-refresh"], {
        cwd: repo.path,
        home: home.path,
      });
      // Control characters take six bytes each in JSON: the last event is far more than a pipe holds.
      await cra.send(`handle value ${"\u0001".repeat(100_000)}`);
      await cra.send(null);
      expect(await cra.next()).toContain('"run_started"');
      cra.kill(signal);
      expect(await cra.ended).toEqual({ exitCode: code, signal: null });
      expect(await cra.stderr).toEndWith(`cra: stopped by ${signal}\n`);
      if (canLook) expect(await leftOver(home.path)).toEqual([]);
    },
    HANG_MS,
  );

  test(
    "a stopped run can be repeated",
    async () => {
      const again = await runCra(["retrieve", "handle value", "--no-refresh", "-q"], { cwd: repo.path });
      expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    },
    HANG_MS,
  );

  test(
    "a signal ends it while it reads the task",
    async () => {
      const waiting = SIGNALS.map(async ([signal, code]) => {
        await using cra = await startCra(["retrieve", "-", "--no-refresh"], { cwd: repo.path });
        // More than a pipe holds, so this returns only once cra reads the task.
        await cra.send("half a ta".repeat(100_000));
        cra.kill(signal);
        expect(await cra.ended).toEqual({ exitCode: code, signal: null });
        expect(await cra.stderr).toBe(`cra: stopped by ${signal}\n`);
      });
      await Promise.all(waiting);
    },
    HANG_MS,
  );

  test.skipIf(Bun.which("timeout") === null)(
    "a signal ends it while it reads a file behind standard input",
    async () => {
      using home = tempFolder();
      const options = { cwd: repo.path, home: home.path };
      const ended = await Promise.all(
        ["retrieve handle --trace -", "mcp"].map(
          async (words) =>
            (await runShell(`timeout --preserve-status --kill-after=20 3 "$CRA" ${words} < /dev/zero`, options))
              .exitCode,
        ),
      );
      expect(ended).toEqual([143, 143]);
    },
    HANG_MS,
  );
});

describe("on a terminal", () => {
  test(
    "Ctrl-C stops it, clears the progress and prints one line",
    async () => {
      repo.write(files(1));
      using home = tempFolder();
      await using cra = await openCra(["index"], { cwd: repo.path, home: home.path, env: ON_ONE_THREAD });
      await cra.waitFor(PARSING);
      cra.type("\x03");
      expect(await cra.ended).toEqual({ exitCode: 130, signal: null });
      if (canLook) expect(await leftOver(home.path)).toEqual([]);
      const rest = cra.output().slice(cra.output().lastIndexOf("\x1b[K"));
      expect(rest).toBe("\x1b[Kcra: stopped by SIGINT\r\n");
      // Nothing that a terminal would have to be put back from.
      expect(cra.output()).not.toMatch(/\x1b\[\?/);
    },
    HANG_MS,
  );

  test(
    "a second Ctrl-C ends it at once",
    async () => {
      using stuck = withStuckGit();
      await using cra = await openCra(["index"], { cwd: repo.path, ...stuck });
      await stuck.started();
      cra.type("\x03\x03");
      expect(await cra.ended).toEqual({ exitCode: 130, signal: null });
      if (canLook) expect(await leftOver(stuck.home)).toEqual([]);
    },
    BEFORE_GIT_IS_STOPPED_MS,
  );

  test(
    "cra ends when its terminal is closed",
    async () => {
      using stuck = withStuckGit();
      await using cra = await openCra(["index"], { cwd: repo.path, ...stuck });
      await stuck.started();
      cra.hangUp();
      expect(await cra.ended).toEqual({ exitCode: 129, signal: null });
      if (canLook) expect(await leftOver(stuck.home)).toEqual([]);
    },
    BEFORE_GIT_IS_STOPPED_MS,
  );
});

/** Whether there is a commit that no run has asked git about yet, since each is stopped before. */
let isCommitted = false;

/** A home folder and a path on which git never answers what was committed; `started` waits until it has been asked. */
function withStuckGit() {
  const folder = tempFolder();
  repo.write({ "pkg/new.py": `# ${folder.path}\n` });
  if (!isCommitted) repo.commit("Something to ask git about");
  isCommitted = true;
  writeFileSync(`${folder.path}/git`, '#!/bin/sh\n: > "$HOME/asked"\nexec sleep 600\n', { mode: 0o755 });
  return {
    home: folder.path,
    env: { PATH: `${folder.path}:${process.env.PATH ?? ""}` },
    async started() {
      while (!existsSync(`${folder.path}/asked`)) await Bun.sleep(10);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
