/** Where packing stops, on items made by hand. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { SymbolRow } from "../../../../src/db/curated/knowledge-base.ts";
import type { Coverage } from "../../../../src/retrieval/model/budget.ts";
import { testsInOrder } from "../../../../src/retrieval/packing/items/item-order.ts";
import { type Item, PLAIN_ITEM } from "../../../../src/retrieval/packing/items/items.ts";
import type { TaskShape } from "../../../../src/retrieval/packing/worth/expected-worth.ts";
import { openStop } from "../../../../src/retrieval/packing/worth/stop.ts";

const BUDGET = 32_768;
const TASK: TaskShape = { length: 0, lead: 0.3, best: 2.5 };

const symbol = (id: number): SymbolRow => ({
  id,
  fileId: 1,
  name: `s${id}`,
  qualifiedName: `s${id}`,
  kind: "function",
  startLine: id * 10,
  endLine: id * 10 + 5,
  docLine: id * 10,
  nameLine: id * 10,
  signature: `s${id}()`,
  signatureTokens: 5,
  bodyTokens: 60,
  parentId: null,
  exported: true,
});

const item = (id: number, given: Partial<Item> = {}): Item => ({
  ...PLAIN_ITEM,
  key: `a.ts#${id}`,
  fileId: 1,
  path: "a.ts",
  label: `s${id}`,
  why: "",
  tier: "primary",
  floor: false,
  rank: 1,
  score: 1 / id,
  symbol: symbol(id),
  ranges: [{ startLine: id * 10, endLine: id * 10 + 5 }],
  bodyTokens: 60,
  signatureTokens: 5,
  ...given,
});

const stopAt = (items: readonly Item[], coverage: Coverage, isAboutTests = false) =>
  openStop({ items, sources: new Map(), task: TASK, exactness: null, isAboutTests })({ coverage, tokens: BUDGET });

const keysAt = (items: readonly Item[], coverage: Coverage): readonly string[] =>
  stopAt(items, coverage).relevant.map(({ key }) => key);

const many = Array.from({ length: 300 }, (_, at) => item(at + 1, { rank: 1 + Math.floor(at / 5) }));

test("coverage 1 keeps everything, and auto stops at what is hardly worth its tokens", () => {
  expect(keysAt(many, 1)).toHaveLength(300);
  const kept = keysAt(many, "auto");
  expect(kept.length).toBeGreaterThan(3);
  expect(kept.length).toBeLessThan(200);
  expect(kept).toContain("a.ts#1");
});

test("a higher coverage never keeps less", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      (a, b) => {
        const [less, more] = [keysAt(many, Math.min(a, b)), new Set(keysAt(many, Math.max(a, b)))];
        expect(less.filter((key) => !more.has(key))).toEqual([]);
      },
    ),
    { numRuns: 50 },
  );
});

test("what is worth most for its tokens comes first, not what scores best", () => {
  const [, ...shorter] = many;
  const kept = keysAt([item(1, { bodyTokens: 20_000 }), ...shorter], 0.2);
  expect([kept.includes("a.ts#1"), kept.includes("a.ts#2")]).toEqual([false, true]);
});

test("each item names the least coverage that includes it", () => {
  const { primary } = stopAt(many, "auto");
  expect(primary).toHaveLength(many.length);
  expect(new Set(primary.map(({ coverage }) => coverage)).size).toBeGreaterThan(20);
  for (const { item: of, coverage } of primary) {
    expect(keysAt(many, coverage)).toContain(of.key);
    if (coverage > 0.05) expect(keysAt(many, (Math.round(coverage * 100) - 1) / 100)).not.toContain(of.key);
  }
});

test("what the task names or a request asks for is kept however little it is worth, what a model lists if it is worth enough", () => {
  const weak = { rank: 70, score: 0.01, bodyTokens: 4_000 };
  const list = [
    ...many,
    item(401, { ...weak, floor: true }),
    item(402, { ...weak, bodyRequested: true }),
    item(403, { ...weak, bodyTokens: 200, evidence: 20 }),
    item(405, { ...weak, bodyTokens: 200 }),
    item(404, weak),
  ];
  const kept = keysAt(list, "auto");
  expect(["a.ts#401", "a.ts#402", "a.ts#403"].filter((key) => !kept.includes(key))).toEqual([]);
  expect(kept.filter((key) => ["a.ts#404", "a.ts#405"].includes(key))).toEqual([]);
});

test("what a longer task only mentions is kept by its signature unless its body is worth its tokens", () => {
  const shownOf = (given: Partial<Item>) =>
    stopAt([...many, item(400, { floor: true, inPassing: true, rank: 300, ...given })], "auto").relevant.find(
      ({ key }) => key === "a.ts#400",
    );
  expect(shownOf({ bodyTokens: 4_000 })).toMatchObject({ ranges: [], bodyTokens: 0, kept: "signature" });
  expect(shownOf({ score: 2, rank: 1 })?.ranges).toHaveLength(1);
  expect(shownOf({ bodyTokens: 4_000, kept: "body" })?.ranges).toHaveLength(1);
  expect(shownOf({ bodyTokens: 4_000, signatureTokens: null })?.ranges).toHaveLength(1);
});

test("supporting items come with what needs them, and in proportion to it", () => {
  const support = (id: number, needs: readonly number[]): Item =>
    item(id, { tier: "supporting", needs, ranges: [], bodyTokens: 0, signatureTokens: 40 });
  const list = [
    ...many,
    ...Array.from({ length: 400 }, (_, at) => support(1_000 + at, [1])),
    support(2_000, [299]),
    item(299, { rank: 70, score: 0.001 }),
  ];
  const { relevant } = stopAt(list, "auto");
  const primary = relevant
    .filter(({ tier }) => tier === "primary")
    .reduce((sum, { bodyTokens }) => sum + bodyTokens, 0);
  const supporting = relevant.filter(({ tier }) => tier === "supporting");
  expect(supporting.length).toBeGreaterThan(0);
  expect(supporting.length * 40).toBeLessThanOrEqual(Math.max(200, primary / 4));
  expect(supporting.map(({ key }) => key)).not.toContain("a.ts#2000");
});

test("of the tests, the likeliest files come first, and those that do not fit are cut to signatures", () => {
  const testOf = (id: number, fileId: number, testOrder: number, bodyTokens: number): Item =>
    item(id, { tier: "tests", fileId, testOrder, bodyTokens, path: `t${fileId}.ts`, key: `t${fileId}.ts#${id}` });
  const list = [item(1), testOf(11, 2, 1, 50), testOf(12, 3, 0, 5_000), testOf(13, 4, 7, 10)];
  const { relevant } = stopAt(list, "auto");
  const tests = relevant.filter(({ tier }) => tier === "tests");
  expect(tests.map(({ path, ranges }) => [path, ranges.length > 0])).toEqual([
    ["t2.ts", true],
    ["t3.ts", false],
  ]);
});

test("a test of a file that is not likely is never taken for one of the likeliest", () => {
  const unlikely = (id: number): Item =>
    item(id, { tier: "tests", fileId: id, path: `t${id}.ts`, key: `t${id}.ts#${id}` });
  const list = [item(1), ...[11, 12, 13].map(unlikely), { ...unlikely(14), testOrder: 0 }];
  const tests = stopAt(list, "auto").relevant.filter(({ tier }) => tier === "tests");
  expect(tests.map(({ path }) => path)).toEqual(["t14.ts"]);
  expect(testsInOrder(list.slice(1)).map(({ path }) => path)).toEqual(["t14.ts", "t11.ts", "t12.ts", "t13.ts"]);
});

/** Of another file, which shows nothing unless it is opened for this item. */
const elsewhere = (id: number, given: Partial<Item>): Item =>
  item(id, { fileId: id, path: `f${id}.ts`, key: `f${id}.ts#${id}`, rank: 40, ...given });

test("a file that holds too little of what matters shows nothing, however short that is", () => {
  const short = { bodyTokens: 5, score: 0.02, ranges: [{ startLine: 1, endLine: 1 }] };
  const list = [
    ...many.slice(0, 20),
    elsewhere(901, short),
    elsewhere(902, { ...short, floor: true }),
    item(903, short),
  ];
  const keys = keysAt(list, "auto");
  expect(keys.filter((key) => key.includes("90"))).toEqual(["f902.ts#902", "a.ts#903"]);
});

test("what goes with an item opens another file only if the item is named or worth a lot", () => {
  const list = [
    item(1, { floor: true }),
    ...many.slice(1, 40),
    elsewhere(901, { tier: "supporting", needs: [1] }),
    elsewhere(902, { tier: "supporting", needs: [12] }),
    item(903, { tier: "supporting", needs: [12] }),
    elsewhere(904, { score: 0, companionOf: [1] }),
    elsewhere(905, { score: 0, companionOf: [12] }),
  ];
  const keys = keysAt(list, "auto");
  expect(keys).toContain("a.ts#12");
  expect(keys.filter((key) => key.includes("90"))).toEqual(["f901.ts#901", "a.ts#903", "f904.ts#904"]);
});

test("what the round before showed stays, also where nothing opens its file any more", () => {
  const before = (id: number, given: Partial<Item>): Item => elsewhere(id, { needs: [12], ...given });
  const list = [
    ...many.slice(0, 40),
    before(901, { tier: "supporting" }),
    before(902, { tier: "supporting", kept: "signature" }),
    before(903, { tier: "type_context", kept: "body" }),
  ];
  expect(keysAt(list, "auto").filter((key) => key.includes("90"))).toEqual(["f902.ts#902", "f903.ts#903"]);
});

test("members of what an exact task names are relevant whatever they are worth, within a limit", () => {
  const members = Array.from({ length: 60 }, (_, at) => item(2_000 + at, { score: 0.001, isMember: true }));
  const list = [item(1, { floor: true }), ...many.slice(1), ...members];
  const membersAt = (exactness: "symbol" | "path") =>
    openStop({ items: list, sources: new Map(), task: TASK, exactness, isAboutTests: false })({
      coverage: "auto",
      tokens: BUDGET,
    }).relevant.filter(({ isMember }) => isMember).length;
  expect([membersAt("symbol"), membersAt("path")]).toEqual([40, 40]);
});

test("a round that asks for nothing new shows nothing new, however exactly the task names its target", () => {
  const list = [item(1, { floor: true }), ...many.slice(1), item(900, { tier: "supporting", needs: [1] })];
  for (const exactness of ["symbol", "file", "path", null] as const)
    for (const coverage of ["auto", 0.5] as const) {
      const keysIn = (items: readonly Item[]) =>
        openStop({ items, sources: new Map(), task: TASK, exactness, isAboutTests: false })({
          coverage,
          tokens: BUDGET,
        }).relevant.map(({ key }) => key);
      const first = keysIn(list);
      const shown = new Set(first);
      const kept = list.map((one): Item => (shown.has(one.key) ? { ...one, kept: "body" } : one));
      expect([exactness, coverage, keysIn(kept)]).toEqual([exactness, coverage, first]);
    }
});

test("a task about tests shows more of them, in proportion to the rest", () => {
  const tests = Array.from({ length: 400 }, (_, at) =>
    item(1_000 + at, { tier: "tests", fileId: 2, testOrder: 0, path: "t.ts", key: `t.ts#${at}`, bodyTokens: 40 }),
  );
  const tokensOf = (list: readonly Item[], tier: Item["tier"], isAboutTests: boolean): number =>
    stopAt(list, "auto", isAboutTests)
      .relevant.filter((one) => one.tier === tier)
      .reduce(
        (sum, { ranges, bodyTokens, signatureTokens }) =>
          sum + (ranges.length > 0 ? bodyTokens : (signatureTokens ?? 0)),
        0,
      );
  const list = [...many, ...tests];
  const share = tokensOf(list, "tests", true) / tokensOf(list, "primary", true);
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(0.68);
  expect(tokensOf(list, "tests", false)).toBeLessThan(tokensOf(list, "tests", true) / 5);
  // Few definitions have few tokens, and their tests matter as much.
  expect(tokensOf([item(1), ...tests], "tests", true)).toBeGreaterThan(1_400);
});

test("a task about tests shows no more of what is no test", () => {
  const supporting = Array.from({ length: 400 }, (_, at) =>
    item(at + 1_001, { tier: "supporting", needs: [1], ranges: [], bodyTokens: 0 }),
  );
  const shown = (isAboutTests: boolean): number =>
    stopAt([...many, ...supporting], "auto", isAboutTests).relevant.filter(({ tier }) => tier === "supporting").length;
  expect(shown(false)).toBeGreaterThan(0);
  expect(shown(false)).toBeLessThan(supporting.length);
  expect(shown(true)).toBe(shown(false));
});

test("what the round before showed as a signature stays one where its tier has no room for more", () => {
  const testOf = (kept?: "signature" | "body"): Item =>
    item(12, { tier: "tests", fileId: 3, testOrder: 0, bodyTokens: 5_000, ...(kept === undefined ? {} : { kept }) });
  const isWhole = (one: Item) =>
    stopAt([item(1), one], "auto").relevant.some(({ tier, ranges }) => tier === "tests" && ranges.length > 0);
  expect([isWhole(testOf()), isWhole(testOf("signature")), isWhole(testOf("body"))]).toEqual([false, false, true]);
});

test("the order of the items does not matter", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(many, { minLength: 300 }), (shuffled) => {
      expect(new Set(keysAt(shuffled, "auto"))).toEqual(new Set(keysAt(many, "auto")));
    }),
    { numRuns: 20 },
  );
});

test("the lines around an item are kept with it alone", () => {
  const around = (id: number) => item(1_000 + id, { key: `around ${id}`, isEnclosing: true, score: 0, symbol: null });
  const items = many.map((one, at) => ({ ...one, enclosedBy: `around ${at}` }));
  const kept = keysAt([...items, ...many.map((_, at) => around(at))], "auto");
  const isKept = (at: number) => [`a.ts#${at + 1}`, `around ${at}`].map((key) => kept.includes(key));
  expect(isKept(0)).toEqual([true, true]);
  expect(isKept(299)).toEqual([false, false]);
});

test("a file has to be worth less in a small budget, which ends a package anyway", () => {
  const faint = Array.from({ length: 40 }, (_, at) =>
    item(500 + at, { score: 0.05, fileId: 500 + at, path: `f${at}.ts`, rank: 30 + at, bodyTokens: 5 }),
  );
  const shownAt = (tokens: number): number =>
    openStop({ items: [...many, ...faint], sources: new Map(), task: TASK, exactness: null, isAboutTests: false })({
      coverage: "auto",
      tokens,
    }).relevant.filter(({ path }) => path !== "a.ts").length;
  expect(shownAt(4_000)).toBeGreaterThan(shownAt(32_768));
  expect(shownAt(64_000)).toBe(shownAt(32_768));
});
