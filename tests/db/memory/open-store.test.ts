/** The memory store: put, list, change, remove; read-only access and damage. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { openMemory } from "../../../src/db/memory/open-store.ts";
import { MEMORY_SCHEMA } from "../../../src/db/memory/schema.ts";
import type { EntryFilter, MemoryStore } from "../../../src/db/memory/store.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { exitCode, sentence } from "../../../src/failure.ts";
import type { Entry } from "../../../src/memory/entry.ts";
import { AXES } from "../../../src/memory/vocabulary.ts";
import { anyEntry } from "../../support/any-entry.ts";
import { experience, idOf, memory, NOW, value, vectorsIn } from "../../support/entries.ts";
import { failureCode, failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

type World = Disposable & { readonly store: MemoryStore; readonly path: string };

/** A new store with these entries in it. */
function world(entries: readonly Entry[] = []): World {
  const dir = folder();
  const path = dir.at("memory.sqlite");
  const store = openMemory(path, "write");
  store.put(entries);
  return {
    store,
    path,
    [Symbol.dispose]: () => {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

const newestFirst = (a: Entry, b: Entry): number =>
  a.created_at !== b.created_at ? (a.created_at < b.created_at ? 1 : -1) : a.id < b.id ? -1 : 1;

test("the store equals a model after any sequence of operations", () => {
  const deed = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), entries: fc.array(anyEntry, { maxLength: 4 }) }),
    fc.record({ kind: fc.constant("again" as const), at: fc.nat(20), content: fc.constantFrom("other", "words") }),
    fc.record({ kind: fc.constant("remove" as const), at: fc.nat(20) }),
  );
  using dir = folder();
  let runs = 0;
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 8 }), (deeds) => {
      const path = dir.at(`${++runs}.sqlite`);
      let store = openMemory(path, "write");
      const held = new Map<string, Entry>();
      for (const done of deeds) {
        const some = [...held.values()][("at" in done ? done.at : 0) % Math.max(1, held.size)];
        if (done.kind === "put") {
          store.put(done.entries);
          for (const entry of done.entries) held.set(entry.id, entry);
        } else if (some !== undefined && done.kind === "remove") {
          expect(store.removeAll([some.id])).toEqual([some.id]);
          held.delete(some.id);
        } else if (some?.type === "experience" && done.kind === "again") {
          store.change(some.id, () => ({ ...some, surprise: done.content }));
          held.set(some.id, { ...some, surprise: done.content });
        }
        if (done.kind === "remove") {
          store.close();
          store = openMemory(path, "write");
        }
      }
      expect(store.list({})).toEqual([...held.values()].sort(newestFirst));
      for (const entry of held.values()) expect(store.get(entry.id)).toEqual(entry);
      expect(JSON.stringify(store.list({}))).toBe(JSON.stringify([...held.values()].sort(newestFirst)));
      const { memories, experiences } = store.counts();
      expect(memories + experiences).toBe(held.size);
      expect(store.put([...held.values()])).toEqual({ added: 0, replaced: 0, unchanged: held.size });
      store.close();
    }),
    { numRuns: 8 },
  );
});

test("put reports changes and stores nothing if an entry is invalid", () => {
  using w = world([memory(1), experience(1)]);
  expect(w.store.put([memory(1), memory(2), experience(1, { goal: "another" })])).toEqual({
    added: 1,
    replaced: 1,
    unchanged: 1,
  });
  expect(failureOf(() => w.store.put([memory(3), memory(4, { content: " " })]))).toEqual({
    code: "internal",
    message: "an entry cannot be stored: content is empty",
  });
  expect(w.store.get(idOf("mem", 3))).toBeNull();
  expect(failureOf(() => w.store.change(idOf("exp", 1), () => experience(2))).code).toBe("internal");
  expect(w.store.counts()).toEqual({ memories: 2, experiences: 1, values: 0 });
});

test("a unique id prefix is enough", () => {
  using w = world([memory(1), memory(2, { id: "mem-a00000000000" }), experience(3)]);
  expect(w.store.get("mem-a")).toMatchObject({ id: "mem-a00000000000" });
  expect(w.store.get("ex")).toEqual(experience(3));
  expect([w.store.get(""), w.store.get("mem-b"), w.store.get("%"), w.store.get("mem-*"), w.store.get("mem-~")]).toEqual(
    Array.from({ length: 5 }, () => null),
  );
  expect(failureOf(() => w.store.get("mem-"))).toEqual({
    code: "usage",
    message: "several ids start with mem-: mem-000000000001, mem-a00000000000",
    next: "type more of the id",
  });
});

describe("lists the entries that pass the filter, newest first", () => {
  const entries = [
    memory(1, { content: "parse_http_url keeps the port", category: "workflow" }),
    memory(2, { content: "Der Zug fährt; 検索語", created_at: "2027-01-01T00:00:00.000Z" }),
    experience(1, { created_at: "2020-01-01T00:00:00.000Z" }),
    experience(2, { outcome: null, domain: "testing", strategy: "ask-user", confidence: "gold" }),
  ];
  const rows: readonly (readonly [EntryFilter, readonly string[]])[] = [
    [{}, ["mem-2", "exp-2", "mem-1", "exp-1"]],
    [{ limit: 2 }, ["mem-2", "exp-2"]],
    [{ limit: 0 }, []],
    [{ type: "memory" }, ["mem-2", "mem-1"]],
    [{ type: "experience" }, ["exp-2", "exp-1"]],
    [{ category: "workflow" }, ["mem-1"]],
    [{ category: "workflow", domain: "testing" }, []],
    [{ type: "memory", domain: "testing" }, []],
    [{ domain: "testing" }, ["exp-2"]],
    [{ strategy: "read-the-error" }, ["exp-1"]],
    [{ outcome: "open" }, ["exp-2"]],
    [{ outcome: "falsified" }, ["exp-1"]],
    [{ outcome: "confirmed" }, []],
    [{ confidence: "gold" }, ["exp-2"]],
    [{ text: "parse url" }, ["mem-1"]],
    [{ text: "parseHttpUrl" }, ["mem-1"]],
    [{ text: "parse tzdata" }, []],
    [{ text: "Fahrt" }, ["mem-2"]],
    [{ text: "索語" }, ["mem-2"]],
    [{ text: "timezones pin" }, ["exp-2", "exp-1"]],
    [{ text: "tzda" }, ["exp-2", "exp-1"]],
    [{ text: "tzdata", domain: "debugging" }, ["exp-1"]],
    [{ text: '"' }, []],
    [{ text: "" }, []],
  ];
  for (const [filter, ids] of rows)
    test(JSON.stringify(filter), () => {
      using w = world(entries);
      expect(w.store.list(filter).map(({ id }) => id.replace(/-0+/, "-"))).toEqual([...ids]);
    });
});

test("removed entries leave no bytes in the file, nor do their values and vectors", () => {
  const secret = { content: "the password is Quetzalcoatl" };
  const told = { goal: "rotate Quetzalcoatl", surprise: "Quetzalcoatl was reused" };
  using w = world([
    memory(1, secret),
    experience(1, told),
    experience(2),
    ...Array.from({ length: 50 }, (_, n) => memory(n + 2)),
  ]);
  w.store.replaceValues([value(3, { text: "Quetzalcoatl again" })]);
  w.store.replaceValues([
    value(1, { text: "never reuse Quetzalcoatl" }),
    value(2, { experience_ids: [idOf("exp", 2)] }),
  ]);
  const vector = Float32Array.of(1, 2);
  w.store.put([experience(1, { surprise: null })]);
  w.store.putVectors("m", [
    { id: idOf("mem", 1), axis: null, textHash: "h", vector },
    { id: idOf("exp", 1), axis: "full", textHash: "h", vector },
    { id: idOf("val", 1), axis: null, textHash: "h", vector },
    { id: idOf("val", 2), axis: null, textHash: "h", vector },
  ]);
  expect(readFileSync(w.path).toString("latin1")).toMatch(/quetzalcoatl/i);
  expect(w.store.removeAll([idOf("mem", 1), idOf("exp", 1), idOf("exp", 7)])).toEqual([idOf("mem", 1), idOf("exp", 1)]);
  expect(w.store.removeAll([idOf("mem", 1)])).toEqual([]);
  expect(w.store.counts()).toEqual({ memories: 50, experiences: 1, values: 1 });
  expect(vectorsIn(w.store, "m").map(({ id }) => id)).toEqual([idOf("val", 2)]);
  expect(readFileSync(w.path).toString("latin1")).not.toMatch(/quetzal/i);
});

describe("reading", () => {
  test("a missing store reads as empty and is not created", () => {
    using dir = folder();
    const store = openMemory(dir.at("memory.sqlite"), "read");
    expect([store.list({}), store.experiences(), store.values(), vectorsIn(store, "m")]).toEqual([[], [], [], []]);
    expect(store.searchMemories(["x"], 5)).toEqual([]);
    expect(store.get("mem-")).toBeNull();
    expect(() => store.put([memory(1)])).toThrow();
    store.close();
    writeFileSync(dir.at("begun.sqlite"), "");
    const begun = openMemory(dir.at("begun.sqlite"), "read");
    expect(begun.counts()).toEqual({ memories: 0, experiences: 0, values: 0 });
    begun.close();
    expect(readdirSync(dir.path)).toEqual(["begun.sqlite"]);
  });

  test("opens the file read-only", () => {
    using w = world([memory(1)]);
    w.store.close();
    const before = readFileSync(w.path);
    const reader = openMemory(w.path, "read");
    expect(reader.list({ text: "known" })).toEqual([memory(1)]);
    if (existsSync("/proc/self/fd")) {
      const modes = readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          if (readlinkSync(`/proc/self/fd/${fd}`) !== w.path) return [];
          return [/flags:\s+\d*(\d)\n/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1]];
        } catch {
          return []; // It was closed meanwhile.
        }
      });
      expect(modes).toEqual(["0"]);
    }
    for (const write of [
      () => reader.put([memory(2)]),
      () => reader.removeAll([idOf("mem", 1)]),
      () => reader.replaceValues([value(1)]),
    ])
      expect(write).toThrow();
    reader.close();
    expect(readFileSync(w.path).equals(before)).toBe(true);
    expect(readdirSync(w.path.slice(0, w.path.lastIndexOf("/")))).toEqual(["memory.sqlite"]);
  });
});

function readAll(path: string): void {
  const store = openMemory(path, "read");
  try {
    store.list({});
    store.values();
    store.searchMemories(["known"], 5);
    for (const axis of AXES) store.searchExperiences(["build"], { axis }, 5);
    store.searchValues(["image"], {}, 5);
  } finally {
    store.close();
  }
}

describe("a damaged store is reported and left unchanged", () => {
  const spoilt = (sql: string) => (path: string) => {
    const db = new Database(path);
    db.run(sql);
    db.close();
  };
  const rows: readonly (readonly [name: string, spoil: (path: string) => void, why: string])[] = [
    ["it is text", (path) => writeFileSync(path, "text ".repeat(1000)), "file is not a database"],
    ["it is another's", spoilt("pragma application_id = 7"), "cra did not write it"],
    ["a table is missing", spoilt("drop table memory_search"), "its tables are not those that cra makes"],
    ["a row was edited", spoilt("update memories set category = 'joke'"), `${idOf("mem", 1)}: category is not one of`],
    [
      "a list was edited",
      spoilt("update experiences set iterations = '[{'"),
      `${idOf("exp", 1)}: iterations is missing`,
    ],
    ["half of an outcome", spoilt("update experiences set outcome_result = null"), "outcome.result is not a string"],
  ];
  for (const [name, spoil, why] of rows)
    test(name, () => {
      using w = world([memory(1), experience(1)]);
      w.store.close();
      spoil(w.path);
      const before = readFileSync(w.path);
      for (const access of ["read", "write"] as const) {
        const failure = failureOf(() => {
          const store = openMemory(w.path, access);
          try {
            store.list({});
          } finally {
            store.close();
          }
        });
        expect(failure).toMatchObject({ code: "memory-damaged", path: w.path, why: expect.stringContaining(why) });
        expect(exitCode(failure)).toBe(12);
        expect(sentence(failure)).toEndWith("import your newest export: cra remember --import FILE");
      }
      expect(readFileSync(w.path).equals(before)).toBe(true);
    });

  test("any flipped byte or truncation is read or refused, and the file stays", () => {
    using w = world([memory(1), experience(1), ...Array.from({ length: 20 }, (_, n) => memory(n + 2))]);
    w.store.replaceValues([value(1)]);
    w.store.close();
    const whole = readFileSync(w.path);
    const spoilt = Array.from({ length: 60 }, (_, n) => {
      // The pages' heads are what most depends on.
      const at = n < 30 ? n * 3 : Math.min(whole.length - 1, (n - 30) * 4096 + (n % 7));
      const bytes = Uint8Array.from(whole);
      bytes[at] = 255 - (bytes[at] ?? 0);
      return bytes;
    });
    const cut = Array.from({ length: whole.length / 4096 }, (_, page) => whole.subarray(0, page * 4096));
    const codes = new Set<string>();
    for (const bytes of [...spoilt, ...cut]) {
      writeFileSync(w.path, bytes);
      for (const suffix of ["-wal", "-shm"]) rmSync(w.path + suffix, { force: true });
      codes.add(failureCode(() => readAll(w.path)));
      expect(readFileSync(w.path).equals(bytes)).toBe(true);
    }
    expect([...codes].sort()).toEqual(["index-newer", "memory-damaged", "none"]);
  });

  test("refuses even a write that does not touch the damage", () => {
    using w = world([memory(1), experience(1)]);
    w.store.close();
    const db = new Database(w.path);
    const page = db
      .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'experiences'")
      .get();
    db.close();
    const from = 4096 * ((page?.rootpage ?? 0) - 1);
    const bytes = readFileSync(w.path).fill(0xa5, from + 3, from + 40);
    writeFileSync(w.path, bytes);
    expect(failureCode(() => openMemory(w.path, "write").put([memory(99)]))).toBe("memory-damaged");
    expect(readFileSync(w.path).equals(bytes)).toBe(true);
  });

  test("it is of a newer version, or no file", () => {
    using dir = folder();
    const path = dir.at("memory.sqlite");
    openDatabase(path, "write", { ...MEMORY_SCHEMA, migrations: [...MEMORY_SCHEMA.migrations, "select 1"] }).close();
    expect(failureOf(() => openMemory(path, "write"))).toMatchObject({ code: "index-newer" });
    mkdirSync(dir.at("folder"));
    for (const access of ["read", "write"] as const)
      expect(failureOf(() => openMemory(dir.at("folder"), access)).code).toBe("memory-damaged");
  });
});

test("migrates an older version and keeps its data", () => {
  using w = world([memory(1)]);
  w.store.close();
  const newer = {
    ...MEMORY_SCHEMA,
    migrations: [...MEMORY_SCHEMA.migrations, "alter table memories add column seen text"],
  };
  const db = openDatabase(w.path, "read", newer);
  expect(db.all("select id, seen from memories")).toEqual([{ id: idOf("mem", 1), seen: null }]);
  db.close();
});

test("equal times are ordered by id", () => {
  using w = world([memory(2), memory(1), experience(1, { created_at: NOW })]);
  expect(w.store.list({}).map(({ id }) => id)).toEqual([idOf("exp", 1), idOf("mem", 1), idOf("mem", 2)]);
});
