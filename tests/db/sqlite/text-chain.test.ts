/** Texts that are stored as differences, as they are stored and as they are read again. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Db, Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { chainText, readChained, textColumns } from "../../../src/db/sqlite/text-chain.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726191,
  migrations: [`create table texts (id integer primary key, ${textColumns("texts")}) strict;`],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

function add(db: Db, id: number, text: string, previous: number | null): void {
  const { base, steps, packed } = chainText(db, "texts", text, previous);
  db.run("insert into texts(id, base, steps, packed) values (?1, ?2, ?3, ?4)", id, base, steps, packed);
}

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
