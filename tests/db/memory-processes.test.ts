/** The memory store with several processes, some of them killed. */
import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../src/db/memory/open-store.ts";
import { experience, idOf, memory } from "../support/entries.ts";
import { type Folder, folder } from "./folder.ts";

const moduleAt = (path: string): string => JSON.stringify(join(import.meta.dir, path));

/** Another process that does this with a store and its entries, open for writing. */
const other = (path: string, script: string) =>
  Bun.spawn(
    [
      process.execPath,
      "-e",
      `const { openMemory } = await import(${moduleAt("../../src/db/memory/open-store.ts")});
       const { memory, experience, idOf } = await import(${moduleAt("../support/entries.ts")});
       const path = ${JSON.stringify(path)};
       ${script}`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );

/** A store with one memory, and a process that was killed while it put more. */
async function killedAt(dir: Folder, count: number, content: string): Promise<string> {
  const path = dir.at("memory.sqlite");
  const store = openMemory(path, "write");
  store.put([memory(1)]);
  store.close();
  const child = other(
    path,
    `const many = Array.from({ length: ${count} }, (_, n) => memory(n + 2, { content: ${content} }));
     const last = { ...memory(1), get content() { process.kill(process.pid, "SIGKILL"); return ""; } };
     openMemory(path, "write").put([memory(1, { content: "replaced" }), ...many, last]);`,
  );
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return path;
}

test("a killed import leaves nothing behind", async () => {
  using dir = folder();
  const path = await killedAt(dir, 200, "'entry ' + n");
  for (const access of ["read", "write"] as const) {
    const store = openMemory(path, access);
    expect(store.list({})).toEqual([memory(1)]);
    expect(store.searchMemories(["replaced", "entry"], 5)).toEqual([]);
    store.close();
  }
});

test("a killed import leaves nothing even after pages reached the file", async () => {
  using dir = folder();
  // More than stays in memory until the end.
  const path = await killedAt(dir, 1_000, "'x'.repeat(19_000) + n");
  expect(statSync(path).size).toBeGreaterThan(4_000_000);
  expect(existsSync(`${path}-journal`)).toBe(true);
  const store = openMemory(path, "read");
  expect(store.list({})).toEqual([memory(1)]);
  store.close();
  expect(existsSync(`${path}-journal`)).toBe(false);
  expect(statSync(path).size).toBeLessThan(400_000);
});

test("concurrent writers lose nothing, and readers see whole imports only", async () => {
  using dir = folder();
  const path = dir.at("memory.sqlite");
  const [writers, turns] = [2, 3];
  const store = openMemory(path, "write");
  store.put([experience(1, { surprise: null }), ...Array.from({ length: writers * turns }, (_, n) => memory(900 + n))]);
  store.close();
  const script = (writer: number): string => `
    const store = openMemory(path, "write");
    for (let turn = 0; turn < ${turns}; turn += 1) {
      const number = ${writer} * 100 + turn + 101;
      store.put([memory(number, { content: "of two" }), experience(number, { goal: "of two" })]);
      store.change(idOf("exp", 1), (before) => ({ ...before, goal: before.goal + " +${writer}" }));
      store.removeAll([idOf("mem", 900 + ${writer} * ${turns} + turn)]);
    }
    store.close();`;
  // Each import is of one memory and one experience.
  const reader = `
    const store = openMemory(path, "read");
    for (let memories = 0; memories < ${writers * turns}; ) {
      const entries = store.list({});
      memories = entries.filter(({ content }) => content === "of two").length;
      if (memories !== entries.filter(({ goal }) => goal === "of two").length) console.log("half");
      Bun.sleepSync(1);
    }`;
  const children = [
    ...Array.from({ length: writers }, (_, writer) => other(path, script(writer))),
    other(path, reader),
  ];
  const said = await Promise.all(children.map(({ stdout }) => new Response(stdout).text()));
  expect(said).toEqual(said.map(() => ""));
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual(children.map(() => 0));
  const after = openMemory(path, "read");
  expect(after.counts()).toEqual({ memories: writers * turns, experiences: writers * turns + 1, values: 0 });
  const changed = after.experiences().find(({ id }) => id === idOf("exp", 1));
  for (let writer = 0; writer < writers; writer += 1)
    expect(changed?.goal.split(` +${writer}`)).toHaveLength(turns + 1);
  expect(after.searchMemories(["two"], 1_000)).toHaveLength(writers * turns);
  expect(after.get(idOf("mem", 201))).toMatchObject({ content: "of two" });
  after.close();
});
