import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type IdentifierTable,
  identifierTable,
  isFull,
  termHash,
  visitIdentifiers,
} from "../../../src/text/terms/identifier-table.ts";
import { expandIdentifier, identifiersIn } from "../../../src/text/terms/identifiers.ts";
import { stem } from "../../../src/text/terms/stem.ts";

const numbersIn = (table: IdentifierTable, text: string): readonly number[] => {
  const numbers: number[] = [];
  visitIdentifiers(table, text, (number) => numbers.push(number));
  return numbers;
};

/** The hashes of the terms and stems of an identifier, from the table. */
const termsOf = ({ firstTerm, termsOf: all, terms }: IdentifierTable, number: number) =>
  all.slice(firstTerm[number], firstTerm[number + 1]).map((term) => [terms.exact[term], terms.stem[term]]);

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
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 30 },
  )
  .chain((words) => fc.constantFrom(" ", "\n", ".", "").map((between) => words.join(between)));

test("every identifier of a text is visited in order, with its terms", () => {
  const table = identifierTable();
  fc.assert(
    fc.property(texts, (text) => {
      const names = identifiersIn(text);
      const numbers = numbersIn(table, text);
      expect(numbers.map((number) => termsOf(table, number))).toEqual(names.map(expected));
      const numberOf = new Map(names.map((name, at) => [name, numbers[at]]));
      expect(numbers).toEqual(names.map((name) => numberOf.get(name) ?? -1));
      expect(new Set(numberOf.values()).size).toBe(numberOf.size);
    }),
  );
});

test("a table that has grown still knows its first identifiers", () => {
  const table = identifierTable();
  const names = Array.from({ length: 70_000 }, (_, at) => `name${at}`);
  const first = numbersIn(table, names.join(" "));
  expect(first).toEqual(names.map((_, at) => at));
  expect(numbersIn(table, names.toReversed().join("\n"))).toEqual(first.toReversed());
  expect(termsOf(table, 69_999)).toEqual(expected("name69999"));
  expect(isFull(table)).toBe(false);
});

test("a table is full at some size, and then goes on for the rest of the file", () => {
  const table = identifierTable();
  const names = Array.from({ length: 210_000 }, (_, at) => `n${at.toString(36)}`);
  expect(numbersIn(table, names.join(" "))).toHaveLength(names.length);
  expect(isFull(table)).toBe(true);
  expect(termsOf(table, 209_999)).toEqual(expected(names.at(-1) ?? ""));
});
