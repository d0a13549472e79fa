/** A failure that is passed on: as a task, and as a further round of a task. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunRecord } from "../../src/retrieval/explain/run-record.ts";
import { CARTS } from "../support/carts.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, runCra, runShell } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const BUNDLE = {
  error_message: "KeyError: 'vat'",
  stack_trace: `Traceback (most recent call last):
  File "/usr/lib/python3.12/runpy.py", line 88, in _run_code
  File "/builds/42/shop/mail.py", line 2, in send_letter
  File "/builds/42/shop/rates.py", line 5, in lookup
KeyError: 'vat'
`,
  root_cause: "the table is never filled",
  recent_changes: ["shop/part_3.py"],
};

const repo = shared(tempRepo(CARTS, { git: true }));
writeFileSync(join(repo.path, ".git", "failure.json"), JSON.stringify(BUNDLE));
await indexIn(repo);

const cra = (args: readonly string[], stdin = ""): Promise<CraRun> => runQuickest(args, { cwd: repo.path, stdin });
test(
  "a failure alone is a task: failing code comes first, changed code is included, and a repeated call gives the same package",
  async () => {
    const run = await cra(["retrieve", "--handoff", ".git/failure.json", "--json", "--budget", "1500"]);
    expect(run.exitCode).toBe(0);
    const found = packageOf(run);
    expect(found.files.slice(0, 2).map(({ path }) => path)).toEqual(["shop/rates.py", "shop/mail.py"]);
    expect(found.files.map(({ path }) => path)).toContain("shop/part_3.py");
    expect(
      await runCra(["retrieve", "--handoff", "-", "--json", "--budget", "1500"], {
        cwd: repo.path,
        stdin: JSON.stringify(BUNDLE),
      }),
    ).toMatchObject({ exitCode: 0, stdout: run.stdout });
    const written = await cra([
      "retrieve",
      "--handoff",
      ".git/failure.json",
      "-o",
      ".git/out.md",
      "--format",
      "prompt",
    ]);
    expect([written.exitCode, written.stdout]).toEqual([0, ""]);
    expect(readFileSync(join(repo.path, ".git", "out.md"), "utf8")).toContain("the table is never filled");
    const explained = await cra(["explain", found.task_id, "shop/rates.py"]);
    expect([explained.exitCode, explained.stdout.includes("shop/rates.py")]).toEqual([0, true]);
  },
  HANG_MS,
);

test(
  "a refinement adds what the trace names, also new code, is logged, and equals one retrieve call",
  async () => {
    const first = packageOf(await cra(["retrieve", "the sum of a cart is wrong", "--json", "--budget", "1500"]));
    const id = first.task_id;
    expect(first.files.map(({ path }) => path)).not.toContain("shop/fresh.py");
    repo.write({ "shop/fresh.py": "def brand_new():\n    return None\n" });
    const trace = `${BUNDLE.stack_trace}  File "/builds/42/shop/fresh.py", line 2, in brand_new\n  File "/builds/42/gone.py", line 1, in f\n`;
    const bundle = JSON.stringify({ ...BUNDLE, stack_trace: trace });
    const streamed = await runCra(["refine", id, "--handoff", "-", "--reject", "shop/mail.py", "--events", "jsonl"], {
      cwd: repo.path,
      stdin: bundle,
    });
    expect(streamed.exitCode).toBe(0);
    const events = streamed.stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(events).toContainEqual({
      event: "notice",
      code: "trace-unplaced",
      message: "the trace names files that are not in the index: /builds/42/gone.py",
    });
    expect(streamed.stderr).toContain(
      "cra: note: the trace names files that are not in the index: /builds/42/gone.py\n",
    );
    const { rounds } = RunRecord.parse(JSON.parse((await cra(["log", id, "--json"])).stdout));
    expect(rounds.map(({ command }) => command)).toEqual(["retrieve", "refine"]);
    expect(JSON.stringify(rounds[1])).toContain('"missing_symbols":["shop/fresh.py:brand_new","shop/rates.py:lookup"]');

    const again = await cra(["refine", id, "--budget", "1600"]);
    expect(again.stdout).toContain("def brand_new()");
    expect(again.stdout).toContain("def lookup(key)");
    expect(again.stdout).not.toContain("def send_letter");
    const line = /^cra: the same in one command: cra (.*)$/m.exec(again.stderr)?.[1] ?? "";
    for (const word of ["--missing-file shop/fresh.py", "--error 'the table is never filled'", "--reject shop/mail.py"])
      expect(line).toContain(word);
    expect((await runShell(`"$CRA" ${line}`, { cwd: repo.path })).stdout).toBe(again.stdout);
    expect((await cra(["doctor"])).stdout).toContain("nothing is wrong");
  },
  HANG_MS,
);

test(
  "a hostile bundle is refused in one line with exit code 2, as JSON with --json, and no file is created",
  async () => {
    using empty = tempRepo({ "a.py": "x = 1\n" });
    const large = `yes '"' | head -c 100000000 | "$CRA" retrieve --handoff -`;
    const nested = `head -c 1000000 /dev/zero | tr '\\0' '[' | "$CRA" retrieve --handoff - --json`;
    const fifo = `mkfifo pipe; "$CRA" retrieve --handoff pipe; code=$?; rm pipe; exit $code`;
    for (const [lines, says] of [
      [large, "standard input is larger than 1048576 bytes"],
      [nested, "the handoff bundle: it is nested more than 100 deep"],
      [fifo, "pipe: is not a regular file"],
      [`echo '{"__proto__": {}}' | "$CRA" retrieve --handoff - --events jsonl`, "the field __proto__ is not allowed"],
      [`echo '{"stack_trace": []}' | "$CRA" refine 1f3a --handoff -`, "stack_trace is not a string"],
    ] as const) {
      const { exitCode, stdout, stderr } = await runShell(`set +o pipefail; ${lines}`, { cwd: empty.path });
      expect([lines, exitCode]).toEqual([lines, 2]);
      expect(stdout + stderr).toContain(says);
      expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
    }
    expect(existsSync(join(empty.path, ".cra"))).toBe(false);
  },
  HANG_MS,
);
