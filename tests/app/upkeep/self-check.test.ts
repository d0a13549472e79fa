/** The program proves itself part by part: each is tried, and what fails is told without hiding the others. */
import { expect, test } from "bun:test";
import { checkSelf } from "../../../src/app/upkeep/self-check.ts";
import { checkTerminal } from "../../../src/cli/output/terminal-check.ts";
import { buildOf } from "../../../src/cli/output/version-text.ts";
import { PARSED_LANGUAGES } from "../../../src/languages/languages.ts";
import { openParsePool, type ParsePool } from "../../../src/syntax/parse/parse-pool.ts";

test("the database, every language and both tokenizers work", async () => {
  const checks = await checkSelf(new AbortController().signal);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const names = checks.map(({ name }) => name);
  expect(names[0]).toBe("sqlite");
  expect(names.slice(1, -2).map((name) => name.split(" ")[1])).toEqual([...PARSED_LANGUAGES.keys()]);
  expect(names.slice(-2)).toEqual(["tokenizer o200k_base", "tokenizer cl100k_base"]);
});

test("a language that cannot be read is named, and the others are tried", async () => {
  const pool = openParsePool();
  const parse: ParsePool["parse"] = async (job, signal) => {
    if (job.language === "go") throw new Error("it does not load");
    return await pool.parse(job.language === "rust" ? { ...job, text: "" } : job, signal);
  };
  const checks = await checkSelf(new AbortController().signal, () => ({ ...pool, parse }));
  expect(checks.filter(({ ok }) => !ok)).toEqual([
    { name: "grammar go", ok: false, what: "it does not load" },
    { name: "grammar rust", ok: false, what: "greet was not found" },
  ]);
  expect(checks).toHaveLength(PARSED_LANGUAGES.size + 3);
});

test("a cancelled check says so", () => {
  const reason = new Error("stopped");
  const stopped = checkSelf(AbortSignal.abort(reason));
  expect(stopped).rejects.toBe(reason);
});

test("without a terminal, the terminal check passes", () => {
  expect(checkTerminal(undefined, {}, { columns: 40, rows: 8 })).toMatchObject({ name: "terminal", ok: true });
});

test("a build lists its parts, and says that it is not a release", () => {
  const commit = "3fb5d05c1a2e7777777777777777777777777777";
  expect(buildOf({ commit, released: true })).toBe("3fb5d05c1a2e");
  expect(buildOf({ commit: `${commit}-dirty`, released: false })).toBe("development build of 3fb5d05c1a2e-dirty");
  expect(buildOf({ commit: null, released: false })).toBe("development build");
});
