/** Texts that are stored as differences, as they are stored and as they are read again. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Db, Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { chainText, readChained, TEXT_BYTES_MAX, textColumns } from "../../../src/db/sqlite/text-chain.ts";
import { packZstd } from "../../../src/text/zstd.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726191,
  migrations: [`create table texts (id integer primary key, ${textColumns("texts")}) strict;`],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

function add(db: Db, id: number, text: string, previous: number | null): void {
  const chained = chainText(db, "texts", text, previous);
  if (chained === null) throw new Error("the text is too large");
  addAsIs(db, id, chained.base, chained.packed, chained.steps);
}

const addAsIs = (db: Db, id: number, base: number | null, packed: string | Uint8Array, steps = 0): void =>
  void db.run("insert into texts(id, base, steps, packed) values (?1, ?2, ?3, ?4)", id, base, steps, packed);

/** Long enough to be packed; numbers differ. */
const longText = (seed: string, lines = 80): string =>
  Array.from({ length: lines }, (_, line) => `${seed} line ${line} of a text about nothing`).join("\n");

test("texts are read as they were stored, from two databases in turn", () => {
  using dir = folder();
  let made = 0;
  const text = fc.record({ seed: fc.constantFrom("a", "b", "é", "检"), lines: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
      const databases = ["one", "other"].map((name) => {
        made += 1;
        return { name, db: openDatabase(dir.at(`${name}${made}.sqlite`), "write", SCHEMA) };
      });
      const textOf = (name: string, at: number): string =>
        longText(`${name} ${texts[at]?.seed}`, texts[at]?.lines) + (texts[at]?.seed ?? "").repeat(3);
      for (const at of texts.keys())
        for (const { name, db } of databases) add(db, at + 1, textOf(name, at), at === 0 ? null : at);
      for (const at of [...texts.keys()].reverse())
        for (const { name, db } of databases) expect(readChained(db, "texts", at + 1)).toBe(textOf(name, at));
      for (const { db } of databases) db.close();
    }),
    { numRuns: 30 },
  );
});

test("a text that was changed since it was read is read as changed, and what needs it is unreadable", () => {
  using dir = folder();
  const db = openDatabase(dir.at("x.sqlite"), "write", SCHEMA);
  const texts = [1, 2, 3].map((number) => longText(`text ${number}`));
  for (const [index, text] of texts.entries()) add(db, index + 1, text, index === 0 ? null : index);
  for (const [index, text] of texts.entries()) expect(readChained(db, "texts", index + 1)).toBe(text);
  db.run("update texts set packed = ?1 where id = 2", "somebody wrote this");
  expect(readChained(db, "texts", 2)).toBe("somebody wrote this");
  expect(readChained(db, "texts", 3)).toBeNull();
  expect(readChained(db, "texts", 1)).toBe(texts[0] ?? "");
  expect(readChained(db, "texts", 4)).toBeNull();
  db.close();
});

test("a chain has few steps, and each takes little room", () => {
  using dir = folder();
  const db = openDatabase(dir.at("x.sqlite"), "write", SCHEMA);
  for (let id = 1; id <= 40; id += 1) add(db, id, `${longText("same")} ${id}`, id === 1 ? null : id - 1);
  const rows = db.all<{ steps: number; bytes: number }>("select steps, length(packed) as bytes from texts order by id");
  expect(Math.max(...rows.map(({ steps }) => steps))).toBeLessThanOrEqual(12);
  for (const { steps, bytes } of rows.slice(1)) if (steps > 0) expect(bytes).toBeLessThan((rows[0]?.bytes ?? 0) / 2);
  for (let id = 1; id <= 40; id += 1) expect(readChained(db, "texts", id)).toBe(`${longText("same")} ${id}`);
  db.close();
});

test("a text that is too large is neither stored nor read, packed or not", () => {
  using dir = folder();
  const db = openDatabase(dir.at("x.sqlite"), "write", SCHEMA);
  const largest = " ".repeat(TEXT_BYTES_MAX);
  add(db, 1, largest, null);
  expect(readChained(db, "texts", 1)?.length).toBe(TEXT_BYTES_MAX);
  for (const larger of [`${largest} `, "é".repeat(TEXT_BYTES_MAX / 2 + 1)]) {
    expect(chainText(db, "texts", larger, 1)).toBeNull();
    addAsIs(db, 2, null, larger);
    addAsIs(db, 3, null, packZstd(Buffer.from(larger), null));
    addAsIs(db, 4, 3, packZstd(Buffer.from("small"), Buffer.from(larger)));
    for (const id of [2, 3, 4]) expect(readChained(db, "texts", id)).toBeNull();
    db.run("delete from texts where id > 1");
  }
  db.close();
});
