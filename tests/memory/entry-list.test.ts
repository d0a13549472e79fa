/** The JSON list of entries, and what an import accepts. */
import { describe, expect, test } from "bun:test";
import { EntryList, readEntries } from "../../src/memory/entry-list.ts";

const NOW = "2026-02-01T00:00:00.000Z";
const MEMORY = {
  type: "memory",
  id: "mem-000000000001",
  content: "a",
  category: "fact",
  importance: 0.5,
  created_at: NOW,
};
const list = (...entries: readonly unknown[]): string => JSON.stringify({ schema_version: 1, entries }, null, 2);

describe("an import", () => {
  test("accepts a list, with a byte order mark, and JSON Lines", () => {
    const entries = EntryList.parse(JSON.parse(list(MEMORY))).entries;
    for (const text of [list(MEMORY), `\uFEFF${list(MEMORY)}`, JSON.stringify(MEMORY), list(MEMORY, MEMORY)])
      expect(readEntries(text, NOW)).toEqual({ ok: true, entries });
    for (const nothing of ["", "\n\n", list()]) expect(readEntries(nothing, NOW)).toEqual({ ok: true, entries: [] });
  });
  test("fills in omitted fields", () => {
    const read = readEntries(list({ content: "only this" }), NOW);
    expect(read).toMatchObject({ ok: true, entries: [{ type: "memory", category: "fact", created_at: NOW }] });
  });
  test.each([
    [list(MEMORY, { ...MEMORY, id: "mem-000000000002", importance: 2 }), "entries[1]: importance is more than 1"],
    [list(MEMORY, { ...MEMORY, content: "b" }), "entries[1]: has the id of entries[0], but other content"],
    [list(null), "entries[0]: "],
    [JSON.stringify({ schema_version: 2, entries: [] }), "the list has version 2, but this cra reads version 1"],
    [list(MEMORY).slice(0, -5), "line 1: is not JSON, and the whole text is not a JSON list of entries"],
    [`${JSON.stringify(MEMORY)}\n{"type":"memory"}`, "line 2: content is missing"],
    ["[".repeat(100_000), "line 1: "],
    [JSON.stringify({ schema_version: 1, entries: [], more: 1 }), "line 1: "],
  ])("is refused completely for one error: %#", (text, why) => {
    const read = readEntries(text, NOW);
    if (read.ok) throw new Error("it was taken");
    expect(read.why).toStartWith(why);
  });
});
