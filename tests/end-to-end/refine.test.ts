/** Refinement: rounds that are logged, continued after a kill, and reproduced by one call. */
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";
import { openSession } from "../../src/db/session/session.ts";
import { RunRecord } from "../../src/retrieval/explain/run-record.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, runCra, runShell } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

/** So many definitions match that their events are far more than a pipe holds. */
const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, file) => [
    `shop/part_${file}.py`,
    Array.from(
      { length: 25 },
      (_, at) => `def cart_sum_${file}_${at}(items):\n    """The sum of a cart."""\n    return sum(items) + ${at}\n`,
    ).join("\n\n"),
  ]),
);
const OTHERS = {
  "shop/mail.py": "def send_letter(text):\n    print(text)\n",
  "tests/test_mail.py":
    "from shop.mail import send_letter\n\n\ndef test_send():\n    assert send_letter('x') is None\n",
  "web/clock.ts": "export const tickClock = (now: Date): string => now.toISOString();\n",
};

const repo = shared(tempRepo({ ...FILES, ...OTHERS }, { git: true }));
await indexIn(repo);

const cra = (args: readonly string[], stdin = ""): Promise<CraRun> => runQuickest(args, { cwd: repo.path, stdin });
const compiled = (args: readonly string[], stdin = ""): Promise<CraRun> => runCra(args, { cwd: repo.path, stdin });
const pathsOf = (run: CraRun): readonly string[] => packageOf(run).files.map(({ path }) => path);
const begin = async (task: string): Promise<string> =>
  packageOf(await cra(["retrieve", task, "--json", "--budget", "3000"])).task_id;

function rounds(taskId: string) {
  const log = openRawLog(join(repo.path, ".cra", "raw.sqlite"));
  try {
    return log.runs(taskId).map((run) => {
      const decisions = log.decisions(taskId, { round: run.round }).length;
      return { round: run.round, command: run.command, status: run.result?.status ?? null, decided: decisions > 0 };
    });
  } finally {
    log.close();
  }
}

test(
  "three rounds from a file, standard input and options are logged, and one command gives the last package",
  async () => {
    const id = await begin("the sum of a cart is wrong");
    writeFileSync(join(repo.path, ".git", "request.json"), JSON.stringify({ rejected_files: ["shop/part_3.py"] }));
    const second = await cra(["refine", id.slice(0, 6), "--request", ".git/request.json", "--json"]);
    expect(pathsOf(second)).not.toContain("shop/part_3.py");
    const request = JSON.stringify({
      missing_tests: ["shop/mail.py"],
      missing_symbols: ["tickClock", "no_such"],
      reason: "it's",
    });
    const third = await compiled(["refine", id, "--request", "-", "--json"], request);
    expect(pathsOf(third)).toEqual(expect.arrayContaining(["tests/test_mail.py", "web/clock.ts"]));
    expect(third.stderr).toContain('cra: note: the symbol "no_such" is not in the index\n');
    const fourth = await cra([
      "refine",
      id,
      "--accept",
      "shop/mail.py",
      "--error",
      "TypeError: it's 'int'",
      ...["--body", "shop/part_7.py:cart_sum_7_3", "--signature", "shop/mail.py:send_letter"],
      ...["--leave-out", "web/clock.ts:tickClock", "--budget", "2500"],
    ]);
    expect(fourth.exitCode).toBe(0);
    expect(fourth.stdout).toContain("return sum(items) + 3\n");
    expect(fourth.stdout).toContain("def send_letter(text)");
    for (const text of ["print(text)", "toISOString"]) expect(fourth.stdout).not.toContain(text);
    expect(fourth.stderr).toContain('the symbol "tickClock" is named as missing and as left out');
    expect(rounds(id)).toEqual(
      ["retrieve", "refine", "refine", "refine"].map((command, at) => ({
        round: at + 1,
        command,
        status: "finished",
        decided: true,
      })),
    );
    expect(packageOf(third).task_id).toBe(id);
    expect(packageOf(third).provenance.changes?.since_round).toBe(2);
    expect(fourth.stderr).toContain("cra: round 4, compared with round 3\n");
    const line = /^cra: the same in one command: cra (.*)$/m.exec(fourth.stderr)?.[1] ?? "";
    const once = await runShell(`"$CRA" ${line}`, { cwd: repo.path });
    expect([once.exitCode, once.stdout]).toEqual([0, fourth.stdout]);
  },
  HANG_MS,
);

test(
  "a killed round is continued with its request by refine without arguments",
  async () => {
    const id = await begin("the sum of some cart is wrong");
    const killed = await runShell(
      `mkfifo .git/pipe; "$CRA" refine ${id} --reject shop/part_1.py --events jsonl --no-refresh > .git/pipe & pid=$!
       exec 3< .git/pipe; head -c 5000 <&3 > .git/begun; kill -9 $pid; wait $pid; echo $?; exec 3<&-; rm .git/pipe`,
      { cwd: repo.path },
    );
    expect(killed.stdout).toBe("137\n");
    expect(rounds(id).at(-1)).toMatchObject({ round: 2, command: "refine", status: null });

    const continued = await compiled(["refine", id, "--json"]);
    expect(packageOf(continued).provenance.changes?.since_round).toBe(1);
    expect(pathsOf(continued)).not.toContain("shop/part_1.py");
    expect(rounds(id).map(({ round, status }) => [round, status])).toEqual([
      [1, "finished"],
      [2, null],
      [2, "finished"],
    ]);
    const session = openSession(join(repo.path, ".cra", "sessions"), id);
    expect(session.rounds().map(({ status }) => status)).toEqual(["finished", "finished"]);
    session.close();
    const nothing = await cra(["refine", id]);
    expect([nothing.exitCode, nothing.stdout]).toEqual([2, ""]);
    expect(nothing.stderr).toStartWith("cra: nothing is asked for, and no round of this task was left unfinished; ");
    const smaller = packageOf(await cra(["refine", id, "--budget", "5000", "--json"]));
    expect([smaller.budget, smaller.provenance.changes?.since_round]).toEqual([5_000, 2]);
  },
  HANG_MS,
);

test(
  "if the index changes between rounds, the task keeps its id, and a note says so",
  async () => {
    const id = await begin("the sum of every cart is wrong");
    repo.write({ "shop/new_part.py": "def cart_sum_new(items):\n    return 0\n" });
    const run = await compiled(["refine", id, "--missing-file", "new_part.py", "--json"]);
    expect(packageOf(run).task_id).toBe(id);
    expect(pathsOf(run)).toContain("shop/new_part.py");
    expect(run.stderr).toContain("cra: note: the index has changed since round 1 of this task\n");
    repo.remove("shop/new_part.py");
    const without = await cra(["refine", id, "--reject", "shop/part_2.py", "--json"]);
    expect(pathsOf(without)).not.toContain("shop/new_part.py");
    expect(without.stderr).toContain('cra: note: the file "new_part.py" is not in the index\n');
  },
  HANG_MS,
);

test(
  "rounds continue from the log if the session was archived or lost",
  async () => {
    const id = await begin("the sum of an old cart is wrong");
    const second = await cra(["refine", id, "--accept", "shop/mail.py", "--reject", "shop/part_1.py", "--json"]);
    expect((await cra(["sessions", "archive", id, "--json"])).exitCode).toBe(0);
    const third = await cra(["refine", id, "--accept", "web/clock.ts", "--json"]);
    expect(pathsOf(third)).toEqual(expect.arrayContaining(["shop/mail.py", "web/clock.ts"]));
    expect(pathsOf(third)).not.toContain("shop/part_1.py");
    const { changes } = packageOf(third).provenance;
    expect([changes?.since_round, changes?.added.filter(({ item }) => item === null)]).toEqual([
      2,
      [{ path: "web/clock.ts", item: null, detail: "body", before: "none" }],
    ]);
    expect(third.stderr).toContain("cra: round 3, compared with round 2\n");
    rmSync(join(repo.path, ".cra", "sessions", `${id}.sqlite`));
    const plain = await cra(["retrieve", "the sum of an old cart is wrong", "--json", "--budget", "3000"]);
    expect(packageOf(plain).task_id).toBe(id);
    expect(plain.stderr).toContain(
      "(accepted: shop/mail.py, web/clock.ts; rejected: shop/part_1.py); --keep-constraints",
    );
    expect(pathsOf(plain)).toContain("shop/part_1.py");
    const fifth = await cra(["refine", id, "--missing-symbol", "send_letter", "--keep-constraints", "--json"]);
    expect(pathsOf(fifth)).not.toContain("shop/part_1.py");
    expect(pathsOf(fifth)).toEqual(expect.arrayContaining(["shop/mail.py", "web/clock.ts"]));
    const log = RunRecord.parse(JSON.parse((await cra(["log", id, "--json"])).stdout));
    expect(log.rounds.map(({ round, attempts, command }) => [round, attempts, command])).toEqual([
      [1, 1, "retrieve"],
      [2, 1, "refine"],
      [3, 1, "refine"],
      [4, 1, "retrieve"],
      [5, 1, "refine"],
    ]);
    expect(packageOf(second).task_id).toBe(id);
    expect((await cra(["doctor"])).stdout).toContain("nothing is wrong");
  },
  HANG_MS,
);

test("a further round logs the context window that its budget came from, until a budget is given", async () => {
  const task = "the sum of a wide cart is wrong";
  const window = ["--context-window", "8000", "--reserved-tokens", "3000"];
  const id = packageOf(await cra(["retrieve", task, "--json", ...window])).task_id;
  const second = await cra(["refine", id, "--reject", "shop/part_1.py", "--json"]);
  await cra(["refine", id, "--reject", "shop/part_2.py"]);
  await cra(["refine", id, "--budget", "2000"]);
  expect(packageOf(second).budget).toBe(5000);
  const { rounds: logged } = RunRecord.parse(JSON.parse((await cra(["log", id, "--json"])).stdout));
  const inWindow = { tokens: 5000, max_lines: null, context_window: 8000, reserved_tokens: 3000 };
  const inTokens = { tokens: 2000, max_lines: null, context_window: null, reserved_tokens: null };
  expect(logged.map(({ budget }) => budget)).toMatchObject([inWindow, inWindow, inWindow, inTokens]);
});

test("a round to keep must be in the log", async () => {
  const refused = await cra(["retrieve", "the sum of a cart is wrong", "--keep-shown", "abcd:1"]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    'cra: --keep-shown: the log has no finished round "abcd:1"; name a task and its round, such as 1f3a:2; see: cra sessions\n',
  ]);
});

test("a budget too small for the accepted items is refused with the smallest one, which works", async () => {
  const id = await begin("the sum of that cart is wrong");
  const all = Object.keys(FILES).flatMap((path) => ["--accept", path]);
  const refused = await cra(["refine", id, ...all, "--budget", "300"]);
  expect(refused.exitCode).toBe(2);
  const floor = /the smallest that works is (\d+)/.exec(refused.stderr)?.[1] ?? "";
  const run = await cra(["refine", id, "--budget", floor, "--json", ...all]);
  expect(pathsOf(run)).toEqual(expect.arrayContaining(Object.keys(FILES)));
});

test("invalid refinements are refused", async () => {
  const id = await begin("the sum of this cart is wrong");
  const wrong: readonly (readonly [readonly string[], string, string])[] = [
    [
      ["beef", "--reject", "a"],
      "",
      'the log has no run with the task id beef; see: cra sessions, or run: cra retrieve "TASK"\n',
    ],
    [[id, "--request", "-"], '{"missing_files": ["../x"]}', "the request: missing_files[0]"],
    [[id, "--request", "-"], '{"missing_files": [{}]}', "the request: missing_files[0] is not a text"],
    [[id, "--request", "-"], '{"__proto__": 1}', 'the request: unknown field "__proto__"'],
    [[id, "--request", "-"], `{"reason": "a\\u0000b"}`, "the request: reason holds control characters"],
    [[id, "--request", "-"], "", "the request is not JSON"],
    [[id, "--request", "-"], `["${"x".repeat(17_000_000)}"]`, "standard input is larger than"],
    [[id, "--accept", "/etc/passwd"], "", '--accept: "/etc/passwd" is not a path inside the repository'],
  ];
  for (const [args, stdin, message] of wrong) {
    // A flood is a matter of the pipe.
    const run = await (stdin.length > 1_000_000 ? compiled : cra)(["refine", ...args], stdin);
    expect([args.join(" "), run.exitCode, run.stdout]).toEqual([args.join(" "), 2, ""]);
    expect(run.stderr).toContain(message);
  }
  expect(rounds(id)).toHaveLength(1);
});

test("paths of other machines mean the files whose whole path they end with", async () => {
  const id = await begin("the sum of my cart is wrong");
  const typed = [
    ["--missing-file", "/home/x/project/shop/mail.py"],
    ["--accept", "file:///srv/build/web/clock.ts"],
    ["--reject", "C:\\work\\shop\\part_1.py"],
    ["--body", "/home/x/project/shop/part_2.py:cart_sum_2_0"],
    ["--leave-out", "C:\\work\\shop\\part_2.py:cart_sum_2_1"],
  ].flat();
  const run = await cra(["refine", id, ...typed, "--json"]);
  expect(run.stderr).not.toContain("is not in the index");
  expect(run.stderr).toContain(
    "--accept web/clock.ts --reject shop/part_1.py --missing-file shop/mail.py --body shop/part_2.py:cart_sum_2_0 --leave-out shop/part_2.py:cart_sum_2_1",
  );
});

test("a budget that was refused is that of no later round", async () => {
  const id = await begin("the sum of a cart is wrong, and what a refused budget leaves");
  const second = await cra(["refine", id, "--budget", "2500", "--json"]);
  expect(packageOf(second).budget).toBe(2500);
  for (const tokens of ["20", "30"]) {
    const refused = await cra(["refine", id, "--budget", tokens]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`a budget of ${tokens} tokens is too small`);
  }
  const third = await cra(["refine", id, "--missing-file", "shop/mail.py", "--json"]);
  expect(third.stderr).not.toContain("is too small");
  expect(packageOf(third).budget).toBe(2500);
  expect(pathsOf(third)).toContain("shop/mail.py");
});
