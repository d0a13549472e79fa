/** Companions: which definitions they are, and that short ones are shown. */

import { expect, test } from "bun:test";
import type { NamedDefinition, ReferenceRow, SymbolRow } from "../../../src/db/curated/knowledge-base.ts";
import type { PricedText } from "../../../src/retrieval/lexical/snippets.ts";
import type { PlacedSymbol } from "../../../src/retrieval/model/selection.ts";
import { fitter } from "../../../src/retrieval/packing/fitting/packer.ts";
import type { Item } from "../../../src/retrieval/packing/items/items.ts";
import { companionsOf, placeCompanions } from "../../../src/retrieval/precision/companions.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { callRow as call, symbolRow as symbol } from "../../support/symbol-row.ts";

const PARSE = symbol(1, 1, "parseDate", "function");
type Given = {
  readonly best?: readonly SymbolRow[];
  readonly others: readonly SymbolRow[];
  /** Definitions of files that may not be shown. */
  readonly elsewhere?: readonly SymbolRow[];
  readonly text?: string;
  readonly uses?: readonly ReferenceRow[];
};
function found({ best = [PARSE], others, elsewhere = [], text = "", uses = [] }: Given): readonly string[] {
  const all: readonly NamedDefinition[] = [...best, ...others, ...elsewhere];
  return companionsOf({
    best,
    symbols: [...best, ...others],
    keywords: ["timezone", "parsing"],
    linesOf: ({ id }) => (id === 1 ? text.split("\n") : []),
    referencesFrom: (ids) => uses.filter(({ caller }) => ids.includes(caller)),
    definitionsNamed: (names) => all.filter(({ name }) => names.includes(name)),
  }).map(({ symbol: { id, name }, companionOf, why }) => `${name}#${id} beside ${companionOf.join(", ")}: ${why}`);
}
const constant = (id: number, fileId: number, name: string, more: Partial<SymbolRow> = {}): SymbolRow =>
  symbol(id, fileId, name, "variable", more);
test("a constant whose name contains a word of the task, in any inflection, comes with its user", () => {
  const others = [constant(2, 2, "REGEX_PARSE"), constant(3, 2, "REGEX_FORMAT"), constant(4, 2, "TIMEZONES")];
  expect(found({ others, text: "const d = date.match(C.REGEX_PARSE)\nreturn REGEX_FORMAT" })).toEqual([
    "REGEX_PARSE#2 beside 1: a constant that parseDate uses",
  ]);
});

test("a constant is one short line at the top level", () => {
  const others = [
    constant(2, 2, "PARSE_LINES", { endLine: 3 }),
    constant(4, 2, "PARSE_DATA", { bodyTokens: 81 }),
    constant(5, 2, "parseLocal", { parentId: 1 }),
    symbol(6, 2, "parseCall", "function"),
  ];
  expect(found({ others, text: "PARSE_LINES PARSE_DATA parseLocal parseCall" })).toEqual([]);
});

test("of constants of the same name the one in the file is taken, or the only one", () => {
  const text = "PARSE_MAX";
  const own = constant(2, 1, "PARSE_MAX");
  const other = constant(3, 2, "PARSE_MAX");
  expect(found({ others: [own, other], text })).toEqual(["PARSE_MAX#2 beside 1: a constant that parseDate uses"]);
  expect(found({ others: [other], text })).toEqual(["PARSE_MAX#3 beside 1: a constant that parseDate uses"]);
  expect(found({ others: [other], elsewhere: [constant(4, 9, "PARSE_MAX")], text })).toEqual([]);
});

test("functions that the best five call come with them; guesses and types do not", () => {
  const best = [PARSE, ...[2, 3, 4, 5, 6].map((id) => symbol(id, 1, `f${id}`, "function"))];
  const others = [symbol(7, 2, "pad", "function"), symbol(8, 2, "Zone", "class"), symbol(9, 2, "guess", "method")];
  const uses = [call(1, 7), call(5, 7, 0.5), call(6, 7), call(1, 8), call(1, 9, 0.4), call(1, 99), call(1, 1)];
  expect(found({ best, others, uses })).toEqual(["pad#7 beside 1, 5: called by parseDate"]);
});

test("namesakes of the best five come with them, unless there are many", () => {
  const best = [PARSE, ...[2, 3, 4, 5, 6].map((id) => symbol(id, 1, `f${id}`, "function"))];
  const same = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => symbol(10 + at, 2 + at, name, "method"));
  expect(found({ best, others: same(1, "f5") })).toEqual(["f5#10 beside 5: called like f5"]);
  expect(found({ best, others: same(1, "f6") })).toEqual([]);
  expect(found({ best, others: same(7, "f5") })).toHaveLength(7);
  expect(found({ best, others: same(8, "f5") })).toEqual([]);
  expect(found({ best, others: same(1, "f5"), elsewhere: same(7, "f5") })).toHaveLength(0);
});

test("a companion of two definitions is one companion with both", () => {
  const others = [symbol(7, 2, "parseDate", "method")];
  expect(found({ others, uses: [call(1, 7)] })).toEqual(["parseDate#7 beside 1: called by parseDate"]);
});

test("primary symbols keep their position and reason; other companions follow", () => {
  const one = (of: SymbolRow, tier: PlacedSymbol["tier"], score: number): PlacedSymbol => ({
    symbol: of,
    tier,
    floor: false,
    score,
    why: "ranked by search",
    usedBy: [1],
  });
  const [pad, used, fresh] = [symbol(2, 1, "pad", "function"), symbol(3, 1, "used", "function"), constant(4, 1, "MAX")];
  const placed = [one(PARSE, "primary", 1), one(pad, "primary", 0.3), one(used, "supporting", 0.5)];
  const companions = [pad, used, fresh].map((of) => ({ symbol: of, companionOf: [1], why: "called by parseDate" }));
  expect(
    placeCompanions(placed, companions).map(
      ({ symbol: { name }, tier, score, why, companionOf }) => `${name} ${tier} ${score} ${why} ${companionOf ?? "-"}`,
    ),
  ).toEqual([
    "parseDate primary 1 ranked by search -",
    "pad primary 0.3 ranked by search 1",
    "used primary 0.05 called by parseDate 1",
    "MAX primary 0 called by parseDate 1",
  ]);
});

/** Definitions of so many tokens each, one in each file, the best first. */
function shownOf(
  tokens: readonly number[],
  companionOf: ReadonlyMap<number, readonly number[]>,
  room: number,
  inOrder = (items: readonly Item[]): readonly Item[] => items,
) {
  const items = tokens.map((bodyTokens, at): Item => {
    const row = symbol(at, at, `f${at}`, "function", { startLine: 1, endLine: 1, docLine: 1 });
    const users = companionOf.get(at);
    return {
      key: `f${at}`,
      fileId: at,
      path: "f.py",
      rank: at + 1,
      tier: "primary",
      floor: false,
      score: 1 / (at + 1),
      label: `f${at}`,
      why: "",
      symbol: row,
      docstring: null,
      assertions: [],
      reason: null,
      ranges: [{ startLine: 1, endLine: 1 }],
      bodyTokens,
      signatureTokens: null,
      needs: [],
      ...(users === undefined ? {} : { companionOf: users }),
    };
  });
  const source: PricedText = { lines: ["x"], lineTokens: () => 1, tokensOf: () => 1 };
  const { shown } = fitter({
    isAboutTests: false,
    budget: { tokens: 8_000 },
    items: inOrder(items),
    sources: new Map(items.map(({ fileId }) => [fileId, source])),
    scorer: () => 0,
  })(room);
  return shown.filter(({ detail }) => detail === "body").map(({ item }) => item.symbol?.id);
}

test("a short companion is shown next to its definition, before better matches", () => {
  const tokens = Array.from({ length: 60 }, (_, at) => (at === 59 ? 41 : 30));
  const last = (room: number, companionOf: readonly (readonly [number, readonly number[]])[]) =>
    shownOf(tokens, new Map(companionOf), room).filter((id) => id === 58 || id === 59);
  expect(last(2_000, [])).toEqual([]);
  expect(last(2_000, [[58, [0]]])).toEqual([58]);
  expect(last(2_000, [[59, [0]]])).toEqual([]);
  // Both would be too much.
  expect(
    last(2_500, [
      [58, [0]],
      [59, [1]],
    ]),
  ).toEqual([58]);
  // What it is of is not shown.
  expect(last(2_000, [[58, [57]]])).toEqual([]);
});

test("the first companion by position is shown, whatever their order", () => {
  const tokens = Array.from({ length: 60 }, () => 30);
  const companionOf = new Map([
    [58, [0]],
    [59, [0]],
  ]);
  for (const inOrder of [(items: readonly Item[]) => items, (items: readonly Item[]) => items.toReversed()])
    expect(shownOf(tokens, companionOf, 2_000, inOrder)).toContain(58);
});

const lines = (count: number, of: string): string =>
  Array.from({ length: count }, (_, at) => `  ${of}_${at}();\n`).join("");
const FILES = {
  "src/parse.js": `import { REGEX_PARSE } from "./constant.js";\nimport { shortly, atLength } from "./steps.js";\nexport function parseDate(text) {\n  const zone = text.match(REGEX_PARSE);\n  return shortly(zone) + atLength(zone);\n}\n`,
  "src/constant.js": `export const REGEX_PARSE = /^dddd$/;\nexport const OTHER = 1;\n`,
  "src/steps.js": `export function shortly(a) {\n  return a.first;\n}\nexport function atLength(b) {\n${lines(60, "walk")}  return b.second;\n}\n`,
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `src/date${at}.js`,
      `export function date${at}(parse) {\n  // a date\n${lines(12, "step")}  return parse.date;\n}\n`,
    ]),
  ),
};

const world = shared(await indexed(FILES));

const TASK = "`parseDate` drops the timezone while parsing a date";

test("a package shows companions, except those that are too long", async () => {
  const { markdown, pkg } = await world.run(TASK, { budget: 1_500 });
  expect(markdown).toContain("export const REGEX_PARSE = /^dddd$/;");
  expect(markdown).toContain("return a.first;");
  expect(markdown).not.toContain("return b.second;");
  expect(markdown).not.toContain("OTHER");
  expect(pkg.token_count).toBeLessThanOrEqual(1_500);
});

test("a symbol that is left out is no companion", async () => {
  const constraints = { ...NO_CONSTRAINTS, left_out: ["src/constant.js:REGEX_PARSE"] };
  const { markdown } = await world.run(TASK, { budget: 1_500, constraints });
  expect(markdown).not.toContain("export const REGEX_PARSE");
  expect(markdown).toContain("return a.first;");
});
