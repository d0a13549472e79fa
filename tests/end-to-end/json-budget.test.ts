/** The budget bounds the text of a package in every format, and JSON says how large it is itself. Counted by another tokenizer library. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { Bundle, ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const tokens = (text: string): number => encode(text).length;

/** Functions in functions and methods in classes: their lines are in several bodies. */
const nested = (at: number): string =>
  [
    `/** The cart number ${at} adds prices. */`,
    `export class Cart${at} {`,
    ...Array.from({ length: 6 }, (_, method) => [
      `  /** Adds the price ${method} to the cart. */`,
      `  addPrice${method}(price: number): number {`,
      `    const withTax = (rate: number): number => {`,
      `      function rounded(sum: number): number {`,
      `        return Math.round(sum * ${method + 1}) + ${at};`,
      "      }",
      "      return rounded(price * rate);",
      "    };",
      `    return withTax(1.${method}) + total${at}(price);`,
      "  }",
    ]).flat(),
    "}",
    `export const total${at} = (price: number): number => price + ${at};`,
    "",
  ].join("\n");

const repo = shared(
  tempRepo({
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`src/cart-${at}.ts`, nested(at)])),
    "README.md": "# Shop\n\nA cart adds prices with tax.\n",
  }),
);
await indexIn(repo);

const known = new Map<string, Promise<string>>();
/** What is printed, asked for once. */
function printed(format: string, budget: number, more: readonly string[]): Promise<string> {
  const key = [format, budget, ...more].join(" ");
  const found = known.get(key) ?? print(format, budget, more);
  known.set(key, found);
  return found;
}

async function print(format: string, budget: number, more: readonly string[]): Promise<string> {
  const words = [
    "retrieve",
    "fix how a cart adds a price with tax",
    "--budget",
    `${budget}`,
    "--format",
    format,
    ...more,
  ];
  const run = await runHere(words, { cwd: repo.path });
  expect(run.exitCode).toBe(0);
  return run.stdout;
}

/** The text of a package in JSON, as its schema says where it is. */
const textOf = ({ files }: ContextPackage): string =>
  files
    .flatMap(({ symbols, snippets }) => [
      ...symbols.flatMap(({ shown, body, signature }) =>
        shown === "elsewhere" ? [] : [shown === "body" ? body : signature],
      ),
      ...snippets.map(({ text }) => text),
    ])
    .join("\n");

describe.each([
  [900, []],
  [2_500, []],
  [2_500, ["--coverage", "1"]],
  [8_000, ["--coverage", "1"]],
  [30_000, ["--coverage", "1"]],
  [6_000, ["--coverage", "1", "--tokenizer", "cl100k_base"]],
])("%i tokens %j", (budget, more) => {
  const isOwn = !more.includes("--tokenizer");

  test("the text that JSON holds is within the budget, each line once, and the document says its own size", async () => {
    const output = await printed("json", budget, more);
    const pkg = ContextPackage.parse(JSON.parse(output));
    expect(pkg.document?.bytes).toBe(Buffer.byteLength(output));
    if (isOwn) {
      expect(pkg.document?.tokens).toBe(tokens(output));
      expect(tokens(textOf(pkg))).toBeLessThanOrEqual(pkg.token_count);
      expect(pkg.token_count).toBe(tokens(await printed("markdown", budget, more)));
    }
    expect(pkg.token_count).toBeLessThanOrEqual(budget);
    for (const { path, symbols, snippets } of pkg.files) {
      const bodies = symbols.flatMap(({ body, end_line: end }) =>
        body === null ? [] : [{ from: end - body.split("\n").length + 1, to: end }],
      );
      const parts = [...bodies, ...snippets.map(({ start_line: from, end_line: to }) => ({ from, to }))];
      const lines = parts.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
      expect(lines.length, path).toBe(new Set(lines).size);
      const source = (await Bun.file(join(repo.path, path)).text()).split("\n");
      for (const { body, end_line: end } of symbols)
        if (body !== null) expect(source.slice(end - body.split("\n").length, end).join("\n")).toBe(body);
    }
  });

  test("so it is in the bundle, with the same text", async () => {
    const output = await printed("bundle", budget, more);
    const bundle = Bundle.parse(JSON.parse(output));
    const text = bundle.snippets.map((snippet) => snippet.text).join("\n");
    expect(bundle.document?.bytes).toBe(Buffer.byteLength(output));
    if (isOwn) {
      expect(bundle.document?.tokens).toBe(tokens(output));
      expect(tokens(text)).toBeLessThanOrEqual(bundle.token_count);
    }
    expect(bundle.token_count).toBeLessThanOrEqual(budget);
    const pkg = ContextPackage.parse(JSON.parse(await printed("json", budget, more)));
    expect(text.split("\n").sort()).toEqual(textOf(pkg).split("\n").sort());
  });
});
