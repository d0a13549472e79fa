/** Task records can be read back: the log, a model's verdicts beside cra's own, and sessions. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";
import { openSession, SESSION_SCHEMA } from "../../src/db/session/session.ts";
import { openDatabase } from "../../src/db/sqlite/open.ts";
import { RunRecord } from "../../src/retrieval/explain/run-record.ts";
import { asking, judgedShop } from "../support/judged-shop.ts";
import { without } from "../support/judging-reply.ts";
import { openCra, runCra, runShell } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK } from "../support/shop.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const shop = shared(await judgedShop(runQuickest));

const taskOf = (dataDir: string): string => {
  const log = openRawLog(join(dataDir, "raw.sqlite"));
  const id = log.latestRun()?.taskId ?? "";
  log.close();
  return id;
};
const sessionsIn = (dataDir: string): readonly string[] => readdirSync(join(dataDir, "sessions")).toSorted();
const keptIn = (dataDir: string): readonly string[] => {
  const log = openRawLog(join(dataDir, "raw.sqlite"));
  const kept = [...log.sessionArchives()].map(({ taskId }) => taskId);
  log.close();
  return kept;
};
/** A copy of the shop's data in which its task was retrieved. */
async function retrieved(...args: readonly string[]): Promise<{ readonly dataDir: string; readonly id: string }> {
  const dataDir = shop.fresh();
  expect((await shop.retrieve(dataDir, ["-q", ...args])).exitCode).toBe(0);
  return { dataDir, id: taskOf(dataDir) };
}

describe("cra log", () => {
  test("lists every round; its JSON matches its schema", async () => {
    const { dataDir, id } = await retrieved();
    await shop.run(dataDir, ["refine", id, "--missing-file", "shop/mail.py", "-q"]);
    const { exitCode, stdout, stderr } = await shop.run(dataDir, ["log", id.slice(0, 4)]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toStartWith(`task  ${SHOP_TASK}\nid    ${id}\n\nround `);
    expect(stdout).toMatch(/\nround +1, finished after \d+ ms\nstarted +\S+ by cra \S+ retrieve\n/);
    expect(stdout).toMatch(/\nround +2, finished after \d+ ms\nstarted +\S+ by cra \S+ refine\n/);
    expect(stdout).toMatch(/\nconstraints +\{"missing_files":\["shop\/mail\.py"\]\}\n/);
    expect(stdout).toMatch(/\nscope +seed +1 +0\n/);
    const json = await shop.run(dataDir, ["log", id, "--round", "2", "--json"]);
    const record = RunRecord.parse(JSON.parse(json.stdout));
    expect(record.rounds.map(({ round, status }) => [round, status])).toEqual([[2, "finished"]]);
    expect(record.rounds[0]?.decisions.length).toBeGreaterThan(5);
    expect(await shop.run(dataDir, ["log", id, "--round", "3"])).toMatchObject({ exitCode: 1, stdout: "" });
    expect(await shop.run(shop.fresh(), ["log", id])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(id),
    });
  });

  test("escapes the escape sequences of a task", async () => {
    const dataDir = shop.fresh();
    const task = "Cart.sum\x1b]0;owned\x07\x1b[2J is\u202e wrong";
    expect((await shop.retrieve(dataDir, ["-q"], {}, task)).exitCode).toBe(0);
    for (const args of [["log", taskOf(dataDir), "-v"], ["sessions"]]) {
      await using cra = await openCra([...args, "--data-dir", dataDir], { cwd: shop.repo.path, columns: 200 });
      expect((await cra.ended).exitCode).toBe(0);
      expect(cra.output()).not.toMatch(/[\x07\u202e]|\x1b(?!\[[\d;]*m)/);
      expect(cra.output()).toContain("is\\u{202e}");
    }
  });

  test("shows the model's judgement next to cra's decision, as explain does", async () => {
    await using server = await startOllama({ reply: without("tests/") });
    const { dataDir, id } = await retrieved(...asking(server.url));
    const log = await shop.run(dataDir, ["log", id]);
    expect(log.stdout).toMatch(new RegExp(`\nscope +${STAND_IN_MODEL} +ok +\\d+ +321 +\\d+\n`));
    expect(log.stdout).toMatch(/\nscope:judgement +irrelevant +1 +0\n/);
    expect(log.stdout).not.toContain("prompt:\n");
    const verbose = await shop.run(dataDir, ["log", id, "-v"]);
    expect(verbose.stdout).toContain("call 2, prompt:\n    ");
    expect(verbose.stdout).toContain('"relevant"');
    expect(verbose.stdout).not.toMatch(/[^\P{C}\n\t]/u);
    const record = RunRecord.parse(JSON.parse((await shop.run(dataDir, ["log", id, "--json"])).stdout));
    expect(record.rounds[0]?.model_calls.map(({ stage, status }) => [stage, status])).toEqual([
      ["analysis", "ok"],
      ["scope", "ok"],
      ["precision", "ok"],
    ]);
    const all = await shop.run(dataDir, ["explain", id]);
    expect(all.stdout).toMatch(/\nrank +in +tier +judged +score /);
    expect(all.stdout).toMatch(/\n *\d +(?:yes|no) +dependency +irrelevant .* tests\/test_cart\.py /);
    expect(all.stdout).toMatch(/\n *1 +yes +seed +relevant .* shop\/cart\.py /);
    const one = await shop.run(dataDir, ["explain", id, "tests/test_cart.py", "-v"]);
    expect(one.stdout.match(/^ {2}(?:stage|verdict) .*$/gm)?.slice(0, 5)).toEqual([
      "  verdict in, irrelevant: 1 of 1 part shown, 22 tokens",
      "  stage   scope",
      "  verdict in, dependency",
      "  stage   scope:judgement",
      "  verdict in, irrelevant",
    ]);
    // The folder of an area that was judged is a folder all the same.
    expect((await shop.run(dataDir, ["explain", id, "shop"])).stdout).toMatch(/^task .*\n(?:.*\n)*rank /);
    const rows = (await shop.run(dataDir, ["explain", id, "-v"])).stdout;
    expect(rows).toMatch(/\nprecision +yes .*\nprecision:judgement +yes /);
  });
});

describe("cra sessions", () => {
  test("lists finished, open and damaged sessions, and changes nothing", async () => {
    const { dataDir, id } = await retrieved();
    const folder = join(dataDir, "sessions");
    const left = openSession(folder, "1111aaaa");
    left.begin("2031-01-01T00:00:00Z");
    left.close();
    const used = openSession(folder, "2222bbbb");
    used.begin("2030-01-01T00:00:00Z");
    writeFileSync(join(folder, "3333cccc.sqlite"), "no database".repeat(99));
    const before = sessionsIn(dataDir);
    const { exitCode, stdout } = await shop.run(dataDir, ["sessions", "--json"]);
    expect([exitCode, JSON.parse(stdout).sessions]).toEqual([
      0,
      [
        expect.objectContaining({ task_id: "1111aaaa", state: "unfinished", rounds: 1, task: null, why: null }),
        expect.objectContaining({ task_id: "2222bbbb", state: "in use" }),
        expect.objectContaining({ task_id: id, state: "finished", task: SHOP_TASK, last_used: expect.any(String) }),
        expect.objectContaining({ task_id: "3333cccc", state: "damaged", why: expect.stringContaining("damaged") }),
      ],
    ]);
    expect((await shop.run(dataDir, ["sessions"])).stdout).toMatch(
      new RegExp(`\n${id} +finished +1 +\\S+ +[\\d.]+ KiB +${SHOP_TASK}\n`),
    );
    expect(sessionsIn(dataDir)).toEqual(before);
    used.close();
  });

  test("archive moves finished sessions into the log, names the others, and every task still works", async () => {
    const { dataDir, id } = await retrieved();
    const young = await shop.run(dataDir, ["sessions", "archive"]);
    expect(young).toMatchObject({
      exitCode: 0,
      stdout: "archived 0 sessions, 0 B\n",
      stderr: "cra: note: kept 1 session used in the last 30 days\n",
    });
    const used = openSession(join(dataDir, "sessions"), "2222bbbb");
    used.begin("2020-01-01T00:00:00Z");
    const dry = await shop.run(dataDir, ["sessions", "archive", "--older-than", "0", "--dry-run"]);
    expect(dry.stdout).toMatch(/\nwould archive 1 session, /);
    expect(keptIn(dataDir)).toEqual([]);
    const done = await shop.run(dataDir, ["sessions", "archive", "--older-than", "0"]);
    expect([done.exitCode, done.stderr]).toEqual([
      0,
      "cra: note: the session of task 2222bbbb was kept: it is in use\n",
    ]);
    expect(done.stdout).toMatch(new RegExp(`^task +size\n${id} +[\\d.]+ KiB\narchived 1 session, `));
    used.close();
    expect(keptIn(dataDir)).toEqual([id]);
    expect(sessionsIn(dataDir).filter((name) => name.startsWith(id))).toEqual([]);
    expect(await shop.run(dataDir, ["sessions", "archive", "2222"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("unfinished round"),
    });
    expect(await shop.run(dataDir, ["sessions", "archive", id])).toMatchObject({
      exitCode: 2,
      stderr: `cra: task ${id} has no session; see: cra sessions --data-dir ${dataDir}\n`,
    });
    const checkup = await shop.run(dataDir, ["doctor"]);
    expect([checkup.exitCode, checkup.stdout]).toEqual([0, expect.any(String)]);
    expect((await shop.run(dataDir, ["refine", id, "--reject", "README.md", "-q"])).exitCode).toBe(0);
    expect((await shop.run(dataDir, ["log", id])).exitCode).toBe(0);
  });

  test("archive by id ignores the age; a repeated id counts once; an empty list is fine", async () => {
    const { dataDir, id } = await retrieved();
    const path = join(dataDir, "sessions", `${id}.sqlite`);
    expect((await shop.run(dataDir, ["sessions", "archive", id.slice(0, 5), "-q"])).exitCode).toBe(0);
    const log = openRawLog(join(dataDir, "raw.sqlite"));
    const [kept] = [...log.sessionArchives(id)];
    log.close();
    writeFileSync(path, kept?.session ?? "");
    const back = openDatabase(path, "read", SESSION_SCHEMA);
    expect(back.all<unknown>("select round, status from rounds")).toEqual([{ round: 1, status: "finished" }]);
    back.close();
    expect((await shop.run(dataDir, ["sessions", "archive", id, "-q"])).exitCode).toBe(0);
    expect([keptIn(dataDir), existsSync(path)]).toEqual([[id], false]);
    const nothing = join(dataDir, "nothing");
    expect(await shop.run(nothing, ["sessions"])).toMatchObject({
      exitCode: 0,
      stdout: "there are no sessions\n",
    });
    expect(await shop.run(nothing, ["sessions", "archive"])).toMatchObject({ exitCode: 0 });
    expect(existsSync(nothing)).toBe(false);
  });

  test("archive during running tasks loses none of their rounds", async () => {
    const dataDir = shop.fresh();
    const endings = new Set<string>();
    const cra = (...args: readonly string[]) =>
      runCra([...args, "-q", "--data-dir", dataDir], {
        cwd: shop.repo.path,
        env: { CRA_TOKENIZER: "approximate" },
      });
    const working = [1, 2].map(async () => {
      for (const _ of [1, 2]) {
        const { exitCode, stderr } = await cra("retrieve", SHOP_TASK, "--no-refresh");
        endings.add(`${exitCode} ${stderr}`);
      }
    });
    let isOver = false;
    const archiving = (async () => {
      while (!isOver) {
        const { exitCode, stderr } = await cra("sessions", "archive", "--older-than", "0");
        endings.add(`${exitCode} ${stderr}`);
      }
    })();
    await Promise.all(working);
    isOver = true;
    await archiving;
    expect((await shop.run(dataDir, ["sessions", "archive", "--older-than", "0"])).exitCode).toBe(0);
    expect([...endings]).toEqual(["0 "]);
    const log = openRawLog(join(dataDir, "raw.sqlite"));
    let rounds = 0;
    for (const { session } of log.sessionArchives()) {
      const path = join(dataDir, "sessions", "4444dddd.sqlite");
      writeFileSync(path, session);
      const copy = openSession(join(dataDir, "sessions"), "4444dddd");
      rounds += copy.rounds().filter(({ status }) => status === "finished").length;
      copy.close();
      rmSync(path);
    }
    expect([rounds, log.runs().length]).toEqual([4, 4]);
    log.close();
    expect(sessionsIn(dataDir)).toEqual([]);
  });

  test.skipIf(Bun.which("prlimit") === null)("if the log cannot grow, every session stays where it is", async () => {
    const { dataDir, id } = await retrieved();
    const run = await runShell(`prlimit --fsize=20000 "$CRA" sessions archive ${id} --data-dir '${dataDir}'`, {
      cwd: shop.repo.path,
    });
    expect([run.exitCode, run.stdout]).toEqual([74, ""]);
    expect(sessionsIn(dataDir)).toEqual([`${id}.sqlite`]);
    expect((await shop.run(dataDir, ["sessions", "archive", id])).exitCode).toBe(0);
    expect(keptIn(dataDir)).toEqual([id]);
  });

  test.skipIf(process.getuid?.() === 0)("with a read-only log, every session stays where it is", async () => {
    const { dataDir, id } = await retrieved();
    chmodSync(join(dataDir, "raw.sqlite"), 0o400);
    expect((await shop.run(dataDir, ["sessions", "archive", id])).exitCode).toBe(74);
    expect(sessionsIn(dataDir)).toEqual([`${id}.sqlite`]);
  });
});
