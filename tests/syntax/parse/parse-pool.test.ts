/** The pool, on real workers: answers, and every way in which a worker can be lost. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { ownThread } from "../../../src/concurrency/processor-time.ts";
import { TOO_MUCH_WORK } from "../../../src/syntax/facts/facts.ts";
import { unpackFacts } from "../../../src/syntax/facts/facts-codec.ts";
import { loadGrammar } from "../../../src/syntax/parse/load-grammar.ts";
import { parseFile } from "../../../src/syntax/parse/parse.ts";
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

test("packed facts are those of the same text, of one that is not parsed too", async () => {
  const job = { text: CODE, language: "javascript" };
  const [{ facts, stats }, packed] = [await shared.parse(job), await shared.pack(job)];
  expect(unpackFacts(packed.packed)).toEqual(facts);
  expect([packed.problem, packed.stats]).toEqual([null, stats]);
  const limited = await pool({ work: { max: 1, perChar: 0 } }).pack(job);
  expect(limited.problem).toBe(TOO_MUCH_WORK);
  expect(unpackFacts(limited.packed)?.problem).toBe(TOO_MUCH_WORK);
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

test("a pool that is warm starts no more threads for its files, whatever their language", async () => {
  let started = 0;
  const spawn = (): Worker => {
    started += 1;
    return new Worker(new URL("../../../src/syntax/parse/parse-worker.ts", import.meta.url).href);
  };
  const parsers = pool({ workersMax: 2, spawn });
  parsers.warm("javascript", 7);
  expect(started).toBe(2);
  const texts = { javascript: CODE, python: "def add():\n    pass\n" };
  const found = await Promise.all(Object.entries(texts).map(([language, text]) => parsers.parse({ text, language })));
  expect(found.map(({ facts }) => facts.symbols[0]?.name)).toEqual(["add", "add"]);
  expect(started).toBe(2);
});

test("a language without a grammar is counted, not parsed", async () => {
  const { facts, stats } = await shared.parse({ text: "hello world\n", language: "text" });
  expect([facts.parsed, facts.problem, facts.lineCount, facts.tokenCount]).toEqual([false, null, 1, 3]);
  expect(readTermStats(stats)?.termCount).toBe(2);
});

test("a file that is too much work is counted as text", async () => {
  const limited = pool({ work: { max: 1_000_000, perChar: 10 } });
  const slow = await limited.parse({ text: "(".repeat(20_000), language: "typescript" });
  expect([slow.facts.parsed, slow.facts.problem]).toEqual([false, TOO_MUCH_WORK]);
  expect(slow.facts.tokenCount).toBeGreaterThan(0);
});

test("close to the limit a fresh worker decides, so it does not matter what a worker parsed before", async () => {
  const text = "->".repeat(400);
  const { work } = await loadGrammar("typescript");
  const before = work();
  await parseFile(text, "typescript", { workMax: 1e9, isFresh: false, factsMax: 9 });
  const needed = work() - before;
  const verdicts = new Set<string>();
  // Reading the text is work as well, .3 % here, which the runtime does not count.
  for (const part of [0.9, 0.998, 1.006]) {
    const limits = { work: { max: needed * part, perChar: 0 } };
    const [fresh, used] = [pool(limits), pool(limits)];
    used.warm("typescript", 1);
    for (const other of ["[", "a<", "x = 1;\n"]) await used.parse({ text: other.repeat(40), language: "typescript" });
    const job = { text, language: "typescript" };
    const { problem } = (await fresh.parse(job)).facts;
    expect((await used.parse(job)).facts.problem).toBe(problem);
    verdicts.add(problem ?? "none");
  }
  expect(verdicts).toEqual(new Set([TOO_MUCH_WORK, "none"]));
});

test.each([
  ["by processor time, where the system tells it", { processorMs: 20, blindLooksMax: 1e9 }],
  ["by looks where it does not", { processorMs: 1e9, blindLooksMax: 3 }],
])("a file that never ends ends its worker, %s", async (_, limits) => {
  const isTold = limits.processorMs < 1e9;
  if (isTold && ownThread() === null) return;
  const endless = `postMessage({ kind: "ready", thread: ${isTold ? "THREAD" : "null"} });
    self.addEventListener("message", ({ data: { text, problem } }) => {
      while (problem === null) {}
      postMessage({ kind: "done", facts: { tokenCount: 1, problem }, stats: new Uint8Array(4) });
    });`;
  const source = endless.replace("THREAD", 'require("node:fs").readlinkSync("/proc/thread-self")');
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const parsers = pool({ spawn: () => new Worker(url), waiting: { lookMs: 20, processorMsPerChar: 0, ...limits } });
  expect((await parsers.parse({ text: "x", language: "python" })).facts.problem).toBe("the parser did not end");
});

/** A pool of workers that run this source, which may use `facts(problem)`. */
function poolOf(source: string, onSpawn = (): void => undefined): ParsePool {
  const facts = `const facts = (problem) => ({ parsed: problem === null, problem, lineCount: 1, tokenCount: 1, doc: null, symbols: [],
    comments: [], imports: [], references: [], exportedAs: {}, commentLines: [] });`;
  const url = URL.createObjectURL(new Blob([facts, source], { type: "text/javascript" }));
  const spawn = (): Worker => {
    onSpawn();
    return new Worker(url);
  };
  return pool({ spawn });
}

/** A worker that dies on the text "die" and says it is broken on "abort"; what it may not parse it measures. */
const MORTAL = `
  self.addEventListener("message", ({ data: { text, problem } }) => {
    if (text === "cursed" || (text === "die" && problem === null)) process.exit(7);
    if (text === "throw" && problem === null) throw new Error("no");
    if (text === "abort" && problem === null) postMessage({ kind: "broken", why: "memory" });
    else postMessage({ kind: "done", facts: facts(problem), stats: new Uint8Array(4) });
  });
  postMessage({ kind: "ready" });`;

function mortalPool(): { readonly parsers: ParsePool; readonly spawned: () => number } {
  let spawned = 0;
  const parsers = poolOf(MORTAL, () => {
    spawned += 1;
  });
  return { parsers, spawned: () => spawned };
}

/** Answers each text, named in `lineCount` by how many it had then, when it has so many or has waited for a while. */
const PATIENT = `
  let texts = [];
  let turn = 0;
  const answer = () => {
    clearTimeout(turn);
    for (const { problem } of texts) postMessage({ kind: "done", facts: { ...facts(problem), lineCount: texts.length }, stats: new Uint8Array(4) });
    texts = [];
  };
  self.addEventListener("message", ({ data }) => {
    texts.push(data);
    clearTimeout(turn);
    if (texts.length === 3) answer();
    else turn = setTimeout(answer, 300);
  });
  postMessage({ kind: "ready", thread: null });`;

test.each([
  ["short texts wait in the worker", 10, 3],
  ["a text does not wait behind a long one", 40_000, 1],
])("%s", async (_, chars, together) => {
  const parsers = poolOf(PATIENT);
  const parse = () => parsers.parse({ text: "x".repeat(chars), language: "python" });
  const found = await Promise.all([parse(), parse(), parse()]);
  expect(found.map(({ facts }) => facts.lineCount)).toEqual([together, together, together]);
});

test.each(["die", "abort", "throw"])("only the file that ends a worker is blamed: %s", async (fatal) => {
  const { parsers, spawned } = mortalPool();
  const parse = (text: string) => parsers.parse({ text, language: "python" });
  await parse("fine");
  const found = ["fine", fatal, "fine"].map(parse);
  // The worker has all of them, and ends, before it is heard.
  Bun.sleepSync(50);
  const problems = (await Promise.all(found)).map(({ facts }) => facts.problem !== null);
  expect(problems).toEqual([false, true, false]);
  expect(spawned()).toBe(2);
});

test("a worker that is not sure is replaced, and the files behind that one are parsed", async () => {
  const unsure = `self.addEventListener("message", ({ data: { text, problem, isFresh } }) =>
      postMessage(text === "near" && !isFresh ? { kind: "unsure" } : { kind: "done", facts: { ...facts(problem), lineCount: text.length }, stats: new Uint8Array(4) }));
    postMessage({ kind: "ready", thread: null });`;
  const parsers = poolOf(unsure);
  const texts = ["a", "near", "abc", "near", "abcdef"];
  const found = await Promise.all(texts.map((text) => parsers.parse({ text, language: "python" })));
  expect(found.map(({ facts }) => [facts.problem, facts.lineCount])).toEqual(texts.map(({ length }) => [null, length]));
});

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

test("a language that loses fifty workers in a row is indexed as text for the rest of the run", async () => {
  const { parsers } = mortalPool();
  const problemOf = async (text: string): Promise<string | null> =>
    (await parsers.parse({ text, language: "python" })).facts.problem;
  for (let time = 0; time < 49; time += 1) await problemOf(time % 2 === 0 ? "die" : "abort");
  expect(await problemOf("fine")).toBeNull();
  for (let time = 0; time < 50; time += 1) expect(await problemOf("throw")).toBe("the parser crashed");
  expect(await problemOf("fine")).toBe("the python parser failed 50 times in a row");
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
