/** The work of a text is the same on every thread, machine and day, so limits on it decide the same everywhere. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { meteredRuntime } from "../../scripts/metered-runtime.ts";
import { PARSE_WORK } from "../../src/languages/grammar-packages.ts";
import { TOO_MUCH_WORK } from "../../src/syntax/facts/facts.ts";
import { CLOSE_TO_LIMIT } from "../../src/syntax/facts/text-facts.ts";
import { loadGrammar } from "../../src/syntax/parse/load-grammar.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";
import { WORK_COUNTER } from "../../src/syntax/parse/work-counter.ts";
import { CLOSE_PART } from "../../src/syntax/query/find-matches.ts";
import { LIMITS } from "./render.ts";

const ROOT = join(import.meta.dir, "../..");
const MODULES = join(ROOT, "node_modules");

async function workOf(text: string, language: string): Promise<number> {
  const { work } = await loadGrammar(language);
  const before = work();
  await parseFile(text, language, LIMITS);
  return (work() - before) >>> 0;
}

/** Code, and texts that no grammar fits. */
const TEXTS: readonly (readonly [text: string, language: string])[] = [
  ["export class A<T> {\n  m(a: T[]): string { return `${a}`; }\n}\n".repeat(50), "typescript"],
  ["def f(a, *, b=1):\n    return [x for x in a if x]\n".repeat(50), "python"],
  ["template <typename T> struct A { A(int a) : a_(a) {} int a_; };\n".repeat(50), "cpp"],
  ["((([[{{".repeat(300), "python"],
  ["->".repeat(400), "typescript"],
  ["\\\n".repeat(500), "python"],
  ["a<b<c<".repeat(200), "tsx"],
  ["/*".repeat(500), "javascript"],
];

test("whatever the thread parsed before, but for what the first parse asks memory for", async () => {
  const first = new Map<string, number>();
  for (const [text, language] of TEXTS) first.set(`${language} ${text}`, await workOf(text, language));
  const differences: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 12 }), async (texts) => {
      for (const [text, language] of texts) {
        const before = first.get(`${language} ${text}`) ?? 0;
        differences.push(Math.abs((await workOf(text, language)) - before));
      }
    }),
    { numRuns: 5 },
  );
  expect(Math.max(...differences)).toBeLessThan((PARSE_WORK.max * CLOSE_PART) / 10);
});

test("code in tests is no more work than in functions", async () => {
  const body = "const found = await build(1).where({ a: 2 }).one();\nexpect(found.a[0]).toBe(3);\n".repeat(40);
  const inTests = `it("a", () => {\nit("b", () => {\nit("c", async () => {\n${body}});\n});\n});\n`;
  const inFunctions = `function a() {\nfunction b() {\nasync function c() {\n${body}}\n}\n}\n`;
  await workOf(inFunctions, "typescript");
  expect(await workOf(inTests, "typescript")).toBeLessThan(1.1 * (await workOf(inFunctions, "typescript")));
});

/** Prints the work of the first part of a long file. */
const LONG_FILE = `
  import { loadGrammar } from "./src/syntax/parse/load-grammar.ts";
  import { parseFile } from "./src/syntax/parse/parse.ts";
  const text = (await Bun.file("./node_modules/zod/src/v3/types.ts").text()).slice(0, 12_000);
  const { work } = await loadGrammar("typescript");
  const facts = await parseFile(text, "typescript", { workMax: 1e9, isFresh: true, factsMax: 20_000 });
  console.log(JSON.stringify([facts.problem, facts.symbols.length > 30, work()]));`;

test("although the engine interprets a grammar that it has not compiled", async () => {
  const answerOf = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const running = Bun.spawn([process.execPath, "-e", LONG_FILE], { cwd: ROOT, env: { ...env }, stderr: "inherit" });
    return await new Response(running.stdout).text();
  };
  const interpreted = await answerOf({ BUN_JSC_useBBQJIT: "0", BUN_JSC_useOMGJIT: "0" });
  expect(interpreted).toStartWith("[null,true,");
  expect(await answerOf({})).toBe(interpreted);
});

test("close to a limit a used thread does not decide", async () => {
  const [[text, language] = ["", ""]] = TEXTS;
  const work = await workOf(text, language);
  const verdictAt = async (part: number, isFresh: boolean): Promise<string> =>
    (await parseFile(text, language, { ...LIMITS, workMax: work * part, isFresh })).problem ?? "none";
  // From too little to enough, in steps smaller than what is too close.
  const parts = Array.from({ length: 60 }, (_, at) => 0.8 + at * CLOSE_PART);
  const used = await Promise.all(parts.map((part) => verdictAt(part, false)));
  const fresh = await Promise.all(parts.map((part) => verdictAt(part, true)));
  expect([...new Set(used)]).toEqual([TOO_MUCH_WORK, CLOSE_TO_LIMIT, "none"]);
  expect([...new Set(fresh)]).toEqual([TOO_MUCH_WORK, "none"]);
});

describe("the runtime that counts", () => {
  const plain = readFileSync(join(MODULES, "web-tree-sitter/web-tree-sitter.wasm"));

  test("has the same functions as before, and the counter", () => {
    const namesOf = (bytes: Uint8Array) => WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(bytes)));
    expect(namesOf(meteredRuntime(plain))).toEqual([...namesOf(plain), { name: WORK_COUNTER, kind: "global" }]);
  });

  test("counts calls and turns of loops, and does not count how memory is managed", () => {
    // (func $loop (param i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))), exported as each name.
    const body = [0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0b];
    const names = ["turn", "malloc", "calloc", "realloc", "free"];
    const section = (id: number, bytes: readonly number[]) => [id, bytes.length, ...bytes];
    const exported = names.flatMap((name, at) => [name.length, ...Buffer.from(name), 0, at]);
    const module = Uint8Array.from([
      ...[0, 97, 115, 109, 1, 0, 0, 0],
      ...section(1, [1, 0x60, 1, 0x7f, 0]),
      ...section(3, [names.length, ...names.map(() => 0)]),
      ...section(6, [0]),
      ...section(7, [names.length, ...exported]),
      ...section(10, [names.length, ...names.flatMap(() => [body.length, ...body])]),
    ]);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(meteredRuntime(module))), {});
    const workOfCall = (name: string): number => {
      const { [name]: call, [WORK_COUNTER]: counter } = exports;
      if (typeof call !== "function" || !(counter instanceof WebAssembly.Global)) throw new Error(`no ${name}`);
      const before = Number(counter.value);
      call(10);
      return Number(counter.value) - before;
    };
    expect(names.map(workOfCall)).toEqual([11, 0, 0, 0, 0]);
  });

  test("is refused where its instructions are not known", () => {
    expect(() => meteredRuntime(plain.subarray(0, 1_000))).toThrow("ends too early");
  });
});
