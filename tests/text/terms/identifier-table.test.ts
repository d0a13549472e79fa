import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  countIdentifiers,
  emptyIfFull,
  type IdentifierTable,
  identifierTable,
  RECORD,
  RECORD_WORDS,
} from "../../../src/text/terms/identifier-table.ts";
import { expandIdentifier, identifiersIn } from "../../../src/text/terms/identifiers.ts";
import { stem } from "../../../src/text/terms/stem.ts";
import { termHash } from "../../../src/text/terms/term-hashes.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** The places of the identifiers of a text, and how often each is used. */
const counted = (table: IdentifierTable, text: string) => {
  const count = countIdentifiers(table, text);
  return [...table.found.slice(0, count)].map((place) => ({ place, times: table.words[place + RECORD.times] }));
};

/** The hashes of the terms of an identifier and of their stems, from the table. */
const termsOf = ({ words }: IdentifierTable, place: number) => {
  const first = place + RECORD_WORDS;
  const hashes = [...words.slice(first, first + (words[place + RECORD.terms] ?? 0))].map((hash) => hash >>> 0);
  return hashes.flatMap((hash, at) => (at % 2 === 0 ? [[hash, hashes[at + 1]]] : []));
};

const expected = (name: string) => expandIdentifier(name).map((term) => [termHash(term), termHash(stem(term))]);

/** Texts with identifiers of several scripts, digits in front and inside, signs, and repeats. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "parseHttpUrl",
        "parse_url",
        "_",
        "$x",
        "2abc",
        "a1",
        "HTTPServer",
        "naïve",
        "检索词",
        "“q”",
        "ß",
      ),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 30 },
  )
  .chain((words) => fc.constantFrom(" ", "\n", ".", "").map((between) => words.join(between)));

test("every identifier of a text is counted, in order of first use, with its terms", () => {
  const table = identifierTable();
  const placeOf = new Map<string, number>();
  fc.assert(
    fc.property(texts, (text) => {
      const names = identifiersIn(text);
      const distinct = [...new Set(names)];
      const found = counted(table, text);
      expect(found.map(({ place }) => termsOf(table, place))).toEqual(distinct.map(expected));
      expect(found.map(({ times }) => times)).toEqual(
        distinct.map((name) => names.filter((other) => other === name).length),
      );
      const places = found.map(({ place }) => place);
      // An identifier keeps its place, and no other has it.
      expect(places).toEqual(distinct.map((name, at) => placeOf.getOrInsert(name, places[at] ?? -1)));
      expect(new Set(placeOf.values()).size).toBe(placeOf.size);
    }),
  );
});

test("a table that has grown still knows its first identifiers", () => {
  const table = identifierTable();
  const names = Array.from({ length: 70_000 }, (_, at) => `name${at}`);
  const first = counted(table, names.join(" "));
  expect(first.map(({ place }) => termsOf(table, place))).toEqual(names.map(expected));
  expect(counted(table, names.toReversed().join("\n"))).toEqual(first.toReversed());
});

test("a table with few identifiers keeps them for the next file", () => {
  const table = identifierTable();
  const first = counted(table, "one two");
  emptyIfFull(table);
  expect(counted(table, "one two")).toEqual(first);
});

test("a table goes on for the rest of the file when it is full, and is then empty again", () => {
  const table = identifierTable();
  const names = Array.from({ length: 210_000 }, (_, at) => `n${at.toString(36)}`);
  const found = counted(table, names.join(" "));
  expect(found).toHaveLength(names.length);
  expect(termsOf(table, found.at(-1)?.place ?? -1)).toEqual(expected(names.at(-1) ?? ""));
  emptyIfFull(table);
  expect(table.count).toBe(0);
  const others = names.map((name) => `other${name}`);
  // What the table had before cannot be found, and is not counted.
  for (const all of [names, others]) {
    const again = counted(table, all.toReversed().join(" "));
    expect(again.map(({ place }) => termsOf(table, place))).toEqual(all.toReversed().map(expected));
    expect(again.every(({ times }) => times === 1)).toBe(true);
  }
});
