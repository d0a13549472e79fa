/** The pool, on real workers: answers, and every way in which a worker can be lost. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { TOOK_TOO_LONG } from "../../../src/syntax/facts/text-facts.ts";
import { openParsePool, type ParsePool, type ParsePoolOptions } from "../../../src/syntax/parse/parse-pool.ts";
import { readTermStats } from "../../../src/text/terms/term-stats.ts";
import { countLines, openTokenCounter } from "../../../src/text/tokens/tokens.ts";

/** For tests that lose no worker: starting one takes most of a second. */
const shared = openParsePool({ workersMax: 1 });
afterAll(() => shared.close());

const pools: ParsePool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

function pool(options: ParsePoolOptions = {}): ParsePool {
  const opened = openParsePool({ workersMax: 1, ...options });
  pools.push(opened);
  return opened;
}

const CODE = "/** Adds. */\nexport function add(a, b) {\n  return a + b;\n}\n\nconst one = add(0, 1);\n";

test("facts with token counts, and term statistics", async () => {
  const { facts, stats } = await shared.parse({ text: CODE, language: "javascript" });
  const counter = await openTokenCounter("o200k_base", { margin: 0 });
  const lines = countLines(CODE, counter);
  expect(facts.tokenCount).toBe(lines.reduce((sum, tokens) => sum + tokens, 0));
  const [add] = facts.symbols;
  expect(add?.name).toBe("add");
  expect(add?.signatureTokens).toBe(counter.count("export function add(a, b)"));
  expect(add?.bodyTokens).toBe(lines.slice(0, 4).reduce((sum, tokens) => sum + tokens, 0));
  const read = readTermStats(stats);
  expect([read?.segmentCount, (read?.commentTerms ?? 0) > 0]).toEqual([2, true]);
});

test("many files on several workers each get their own answer", async () => {
  const parsers = pool({ workersMax: 2, recycleChars: 1_500 });
  const names = Array.from({ length: 12 }, (_, at) => `f${at}`);
  const found = await Promise.all(
    names.map(async (name) => {
      const { facts } = await parsers.parse({ text: `function ${name}() {}\n`.repeat(10), language: "javascript" });
      return new Set(facts.symbols.map((symbol) => symbol.name));
    }),
  );
  expect(found).toEqual(names.map((name) => new Set([name])));
});

test("a language without a grammar is counted, not parsed", async () => {
  const { facts, stats } = await shared.parse({ text: "hello world\n", language: "text" });
  expect([facts.parsed, facts.problem, facts.lineCount, facts.tokenCount]).toEqual([false, null, 1, 3]);
  expect(readTermStats(stats)?.termCount).toBe(2);
});

test("a file that never finishes ends its worker, and is counted as text", async () => {
  // The worker would go on for a minute; the pool gives it a tenth of a second.
  const parsers = pool({ timeMsMax: 60_000, graceMs: -59_900 });
  const slow = await parsers.parse({ text: "(".repeat(200_000), language: "typescript" });
  expect([slow.facts.parsed, slow.facts.problem]).toEqual([false, TOOK_TOO_LONG]);
  expect(slow.facts.tokenCount).toBeGreaterThan(0);
});

/** Parses a long file in a process of its own, and prints what came of it. */
const LONG_FILE = `
  import { openParsePool } from "./src/syntax/parse/parse-pool.ts";
  const text = await Bun.file("./node_modules/zod/src/v3/types.ts").text();
  const pool = openParsePool({ workersMax: 1 });
  const { facts } = await pool.parse({ text, language: "typescript" });
  pool.close();
  console.log(JSON.stringify([facts.problem, facts.symbols.length > 500]));`;

test("a long file keeps its facts although the engine has not compiled its grammar yet", async () => {
  const running = Bun.spawn([process.execPath, "-e", LONG_FILE], {
    cwd: join(import.meta.dir, "..", "..", ".."),
    env: { PATH: process.env.PATH ?? "", BUN_JSC_useBBQJIT: "0", BUN_JSC_useOMGJIT: "0" },
    stderr: "inherit",
  });
  expect(JSON.parse(await running.stdout.text())).toEqual([null, true]);
  expect(await running.exited).toBe(0);
});

/** A worker that dies on the text "die" and says it is broken on "abort"; what it may not parse it measures. */
const MORTAL = `
  const facts = (problem) => ({ parsed: problem === null, problem, lineCount: 1, tokenCount: 1, doc: null, symbols: [],
    comments: [], imports: [], references: [], exportedAs: {} });
  self.addEventListener("message", ({ data: { text, problem } }) => {
    if (text === "cursed" || (text === "die" && problem === null)) process.exit(7);
    if (text === "throw" && problem === null) throw new Error("no");
    if (text === "abort" && problem === null) postMessage({ kind: "broken", why: "memory" });
    else postMessage({ kind: "done", facts: facts(problem), stats: new Uint8Array(4) });
  });
  postMessage({ kind: "ready" });`;

function mortalPool(): { readonly parsers: ParsePool; readonly spawned: () => number } {
  const url = URL.createObjectURL(new Blob([MORTAL], { type: "text/javascript" }));
  let spawned = 0;
  const spawn = (): Worker => {
    spawned += 1;
    return new Worker(url);
  };
  return { parsers: pool({ spawn }), spawned: () => spawned };
}

test("a worker that dies is replaced, and its file is indexed as text", async () => {
  const { parsers, spawned } = mortalPool();
  const problemOf = async (text: string): Promise<string | null> =>
    (await parsers.parse({ text, language: "python" })).facts.problem;
  expect(await problemOf("fine")).toBeNull();
  expect(await problemOf("die")).toBe("the parser crashed");
  expect(await problemOf("abort")).toBe("the parser failed: memory");
  expect(await problemOf("fine")).toBeNull();
  expect(spawned()).toBe(3);
});

test("a language that loses three workers in a row is indexed as text for the rest of the run", async () => {
  const { parsers } = mortalPool();
  const problemOf = async (text: string): Promise<string | null> =>
    (await parsers.parse({ text, language: "python" })).facts.problem;
  for (const text of ["throw", "die", "fine", "die", "abort"]) await problemOf(text);
  expect(await problemOf("fine")).toBeNull();
  for (const text of ["die", "throw", "die"]) expect(await problemOf(text)).toBe("the parser crashed");
  expect(await problemOf("fine")).toBe("the python parser failed 3 times in a row");
  expect((await parsers.parse({ text: "fine", language: "tsx" })).facts.problem).toBeNull();
});

test("a text that no worker survives still has an answer", async () => {
  const { parsers } = mortalPool();
  const { facts, stats } = await parsers.parse({ text: "cursed", language: "python" });
  expect([facts.parsed, facts.problem, facts.tokenCount]).toEqual([false, "the parser crashed", 2]);
  expect(readTermStats(stats)).not.toBeNull();
});

test("resting ends idle workers, and work starts new ones", async () => {
  const { parsers, spawned } = mortalPool();
  parsers.rest();
  await parsers.parse({ text: "fine", language: "python" });
  parsers.rest();
  parsers.rest();
  const working = parsers.parse({ text: "fine", language: "python" });
  parsers.rest();
  expect((await working).facts.problem).toBeNull();
  expect(spawned()).toBe(2);
});

test("closing rejects waiting and new files", async () => {
  const parsers = pool();
  const waiting = parsers.parse({ text: "x", language: "python" });
  parsers.close();
  expect(waiting).rejects.toThrow("closed");
  expect(parsers.parse({ text: "x", language: "python" })).rejects.toThrow("closed");
});

test("an aborted file rejects with the signal's reason, others continue", async () => {
  const parsers = shared;
  const stop = new AbortController();
  const other = parsers.parse({ text: "x = 1", language: "python" });
  const aborted = parsers.parse({ text: "y = 1", language: "python" }, stop.signal);
  stop.abort(new Error("enough"));
  expect(aborted).rejects.toThrow("enough");
  expect((await other).facts.symbols).toHaveLength(1);
  expect(parsers.parse({ text: "z", language: "python" }, stop.signal)).rejects.toThrow("enough");
});

test("a worker that cannot start closes the pool instead of waiting forever", async () => {
  const parsers = pool({ spawn: () => new Worker(new URL("./no-such-worker.ts", import.meta.url).href) });
  expect(parsers.parse({ text: "x", language: "python" })).rejects.toThrow("does not start");
});
