/** Sessions: rounds and their values. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTaskId, openSession, SESSION_SCHEMA } from "../../../src/db/session/session.ts";
import { tryToHold } from "../../../src/db/sqlite/lock.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { TEXT_BYTES_MAX } from "../../../src/db/sqlite/text-chain.ts";
import { packZstd } from "../../../src/text/zstd.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

test("an unfinished round is continued, a finished one is followed, and nothing is lost", () => {
  using dir = folder();
  const open = () => openSession(dir.path, "0123abcd");
  const first = open();
  expect(first.begin("t1")).toEqual({ round: 1, continued: false });
  first.set(1, "stage_outputs", { scope: [1, 2] });
  first.set(1, "stage_outputs", { scope: [1, 2, 3] });
  first.close();
  const second = open();
  expect(second.begin("t2")).toEqual({ round: 1, continued: true });
  second.finish(1, "t3");
  expect(second.begin("t4")).toEqual({ round: 2, continued: false });
  second.set(2, "refinement_request", null);
  expect(second.get(1, "stage_outputs")).toEqual({ scope: [1, 2, 3] });
  expect(second.get(2, "stage_outputs")).toBeUndefined();
  expect(second.get(2, "refinement_request")).toBeNull();
  expect(second.rounds()).toEqual([
    { round: 1, status: "finished", startedAt: "t1", finishedAt: "t3" },
    { round: 2, status: "running", startedAt: "t4", finishedAt: null },
  ]);
  expect(() => second.set(3, "final_context", 1)).toThrow();
});

test("a value that cannot be read is none", () => {
  using dir = folder();
  const session = openSession(dir.path, "0123abcd");
  session.begin("t1");
  session.set(1, "final_context", { shown: [1] });
  session.close();
  const raw = new Database(join(dir.path, "0123abcd.sqlite"));
  raw.run("update texts set packed = '{\"shown\": '");
  raw.close();
  const again = openSession(dir.path, "0123abcd");
  expect(again.get(1, "final_context")).toBeUndefined();
  again.close();
});

test("a value that is too large is not stored, nor is one read that somebody put in", () => {
  using dir = folder();
  const session = openSession(dir.path, "0123abcd");
  session.begin("t1");
  session.set(1, "stage_outputs", "a small one");
  session.set(1, "stage_outputs", "a".repeat(TEXT_BYTES_MAX));
  expect(session.get(1, "stage_outputs")).toBeUndefined();
  session.set(1, "final_context", { shown: [1] });
  session.close();
  const raw = new Database(join(dir.path, "0123abcd.sqlite"));
  expect(raw.query("select key from state_texts").values()).toEqual([["final_context"]]);
  const id = "(select text_id from state_texts)";
  raw.run(`update texts set packed = ?1 where id = ${id}`, [
    packZstd(Buffer.from(JSON.stringify("a".repeat(TEXT_BYTES_MAX))), null),
  ]);
  raw.close();
  const again = openSession(dir.path, "0123abcd");
  expect(again.get(1, "final_context")).toBeUndefined();
  again.close();
});

test("finds rounds with identical stored text", () => {
  using dir = folder();
  const session = openSession(dir.path, "0123abcd");
  const values = [{ a: 1 }, { a: 2 }, { a: 1 }, undefined, { a: 1, b: 1 }];
  for (const [index, value] of values.entries()) {
    session.begin("t1");
    if (value !== undefined) session.set(index + 1, "final_context", value);
    session.set(index + 1, "stage_outputs", { a: 1 });
    session.finish(index + 1, "t2");
  }
  const alike = [1, 2, 3, 4, 5, 6].map((round) => session.alike(round, "final_context"));
  expect(alike).toEqual([[1, 3], [2], [1, 3], [], [5], []]);
  session.close();
});

test("rounds continue after those known from elsewhere", () => {
  using dir = folder();
  const open = () => openSession(dir.path, "0123abcd");
  const first = open();
  expect(first.begin("t1", 4)).toEqual({ round: 5, continued: false });
  first.close();
  const second = open();
  expect(second.begin("t2", 5)).toEqual({ round: 5, continued: true });
  second.close();
  const third = open();
  expect(third.begin("t3", 7)).toEqual({ round: 8, continued: false });
  third.finish(8, "t4");
  expect(third.begin("t5", 2)).toEqual({ round: 9, continued: false });
  third.close();
});

test("a claimed round is left alone until its process leaves it unfinished", () => {
  using dir = folder();
  const [mine, theirs, third] = [1, 2, 3].map(() => openSession(dir.path, "0123abcd"));
  expect(mine?.begin("t1")).toEqual({ round: 1, continued: false });
  expect(theirs?.begin("t2")).toEqual({ round: 2, continued: false });
  expect([1, 2].map((round) => theirs?.get(round, "unfinished_before"))).toEqual([undefined, [1]]);
  mine?.finish(1, "t3");
  mine?.close();
  expect(third?.begin("t4")).toEqual({ round: 3, continued: false });
  third?.close();
  const fourth = openSession(dir.path, "0123abcd");
  expect(fourth.begin("t5")).toEqual({ round: 3, continued: true });
  for (const session of [theirs, fourth]) session?.close();
  expect(readdirSync(dir.path)).toEqual(["0123abcd.sqlite"]);
});

test("a round whose process was killed is continued", async () => {
  using dir = folder();
  const child = Bun.spawn(
    [
      process.execPath,
      "-e",
      `const { openSession } = await import(${JSON.stringify(join(import.meta.dir, "../../../src/db/session/session.ts"))});
       globalThis.kept = openSession(${JSON.stringify(dir.path)}, "0123abcd");
       console.log(globalThis.kept.begin("t1").round);
       setInterval(() => {}, 1000);`,
    ],
    { stdout: "pipe" },
  );
  await child.stdout.getReader().read();
  const claim = dir.at("0123abcd.sqlite.round-1");
  expect(tryToHold(claim)).toBeNull();
  child.kill("SIGKILL");
  await child.exited;
  const next = openSession(dir.path, "0123abcd");
  expect(next.begin("t2")).toEqual({ round: 1, continued: true });
  next.close();
  expect(existsSync(claim)).toBe(false);
});

test("what a killed process left of its claim goes when any other session begins", () => {
  using dir = folder();
  const [left, held] = ["0123abcd.sqlite.round-1", "4567abcd.sqlite.round-2"];
  writeFileSync(dir.at(left), "");
  const holder = tryToHold(dir.at(held));
  const next = openSession(dir.path, "89abcdef");
  expect(next.begin("t1")).toEqual({ round: 1, continued: false });
  const files = () => readdirSync(dir.path).filter((name) => name.includes(".round-"));
  expect(files().sort()).toEqual([held, "89abcdef.sqlite.round-1"]);
  next.close();
  expect(files()).toEqual([held]);
  holder?.release();
});

test("only a task id becomes a path", () => {
  using dir = folder();
  for (const id of [
    "",
    "abc",
    "../../etc/passwd",
    "0123abcd/x",
    "0123ABCD",
    "0123abcd\0",
    `${"a".repeat(65)}`,
    "0123abcd\n",
  ]) {
    expect(isTaskId(id)).toBe(false);
    expect(failureOf(() => openSession(dir.path, id))).toEqual({ code: "unknown-task", taskId: id });
  }
});

/** A selection of files whose scores depend on the round. */
const selection = (round: number) => ({
  files: Array.from({ length: 600 }, (_, at) => ({
    path: `src/package_${at % 40}/module_${at}.py`,
    relation: `imports src/package_${(at * 7) % 40}/other.py`,
    score: at % 20 === 0 ? round + at : at,
  })),
});

test("rounds that are much alike take a tenth of their size, and half of what they take packed one by one", () => {
  using dir = folder();
  const session = openSession(dir.path, "0123abcd");
  const rounds = 40;
  let [written, packed] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    session.begin("t1");
    for (const key of ["stage_outputs", "final_context"] as const) {
      const value = { ...selection(round), key };
      session.set(round, key, value);
      const text = JSON.stringify(value);
      written += text.length;
      packed += Bun.zstdCompressSync(text).length;
    }
    session.finish(round, "t2");
  }
  session.close();
  const path = join(dir.path, "0123abcd.sqlite");
  const { size } = statSync(path);
  expect(size).toBeLessThan(written / 10);
  expect(size).toBeLessThan(packed / 2);
  const again = openSession(dir.path, "0123abcd");
  for (const round of [1, 7, rounds])
    expect(again.get(round, "final_context")).toEqual({ ...selection(round), key: "final_context" });
  again.close();
});

test("upgrades a session of the first version", () => {
  using dir = folder();
  const path = join(dir.path, "0123abcd.sqlite");
  const old = openDatabase(path, "write", { ...SESSION_SCHEMA, migrations: SESSION_SCHEMA.migrations.slice(0, 1) });
  const long = selection(1);
  for (const round of [1, 2, 3]) {
    old.run("insert into rounds values (?1, 'finished', 't1', 't2')", round);
    const values = [
      ["final_context", long],
      ["refinement_request", { reject: [round % 2] }],
    ] as const;
    for (const [key, value] of values)
      old.run("insert into state values (?1, ?2, ?3)", round, key, JSON.stringify(value));
  }
  old.close();
  const session = openSession(dir.path, "0123abcd");
  expect(session.get(2, "final_context")).toEqual(long);
  expect(session.alike(3, "refinement_request")).toEqual([1, 3]);
  expect(session.begin("t3", 3)).toEqual({ round: 4, continued: false });
  session.set(4, "refinement_request", { reject: [0] });
  session.set(4, "final_context", selection(4));
  expect(session.alike(4, "refinement_request")).toEqual([2, 4]);
  expect(session.get(4, "final_context")).toEqual(selection(4));
  session.close();
});
