/** `cra search`, `explain`, `status`, `config` and `schema` from arguments to output, on the stub app. */

import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SCHEMA_NAMES } from "../../../src/cli/commands/schema.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();

describe("search", () => {
  test("prints hits with the text below", async () =>
    expect(await ran(["search", "parse"])).toEqual({
      out: "a.ts:3  function parseUrl\n    function parseUrl()\n",
      err: "",
      code: 0,
    }));
  test("marks hits by position in JSON", async () =>
    expect(JSON.parse((await ran(["search", "parse", "--json"])).out)).toMatchObject({
      hits: [{ path: "a.ts", text: "function parseUrl()", highlights: [[9, 14]] }],
    }));
  test("exits 1 when nothing matches", async () => {
    expect(await ran(["search", "zzz"], { hits: [] })).toEqual({
      out: "",
      err: 'cra: nothing matches "zzz"\n',
      code: 1,
    });
    expect(await ran(["search", "zzz", "--json"], { hits: [] })).toMatchObject({
      code: 1,
      out: expect.stringContaining('"hits": []'),
    });
  });
  test("needs a query", async () => {
    expect((await ran(["search", " "])).code).toBe(2);
  });
});

describe("explain", () => {
  test("lists decisions, or shows one in full", async () => {
    expect((await ran(["explain", "0123456789ab"])).out).toBe(
      `task    t …
run     0123456789ab, round 1, 2024
status  not finished
budget  100 tokens

rank  in   tier  score   tokens  path  why
   1  yes  seed  0.5000      40  a.ts  named
and 1 file out of scope; see them with -v
`,
    );
    const all = (await ran(["explain", "0123456789ab", "-v"])).out;
    expect(all).toContain("-     no   -     0.5000       0  z.ts  too low\n");
    expect(all).toEndWith("stage  in   tier  score   what  why\nscope  yes  seed  0.5000  a.ts  the task names it\n");
    expect((await ran(["explain", "0123456789ab", "a.ts"])).out).toContain("  score   0.5000 = mention 0.2500×2\n");
  });
  test("reports an unknown task and file", async () => {
    expect((await ran(["explain", "ffff"])).code).toBe(2);
    expect((await ran(["explain", "0123456789ab", "b.ts"])).code).toBe(1);
  });
});

test("status prints counts, sizes and versions", async () => {
  expect((await ran(["status"])).out).toContain("indexed     2024-01-01T00:00:00.000Z by cra 0.1.0 at 0123456789ab\n");
  expect((await ran(["status"])).out).toContain("runs        2\nindex size  2.0 KiB\nsessions    2, 4.0 KiB\n");
  expect((await ran(["status"], { indexed: false })).out).toContain("index       none; run: cra index\n");
  expect(JSON.parse((await ran(["status", "--json"])).out)).toMatchObject({
    schema_version: 1,
    indexed: true,
    index: { counts: { files: 3 } },
  });
});

test("config explains every value, also overridden ones", async () => {
  writeFileSync(join(seen.folder, ".cra.toml"), "scope_size = 9\n");
  const { out } = await ran(["config", "--explain"]);
  expect(out).toMatch(new RegExp(`scope_size +9 +${seen.folder}/.cra.toml +number of best-ranked files`));
  const json: unknown = JSON.parse((await ran(["config", "--explain", "--json"])).out);
  expect(json).toMatchObject({
    schema_version: 1,
    settings: expect.arrayContaining([expect.objectContaining({ key: "scope_size", value: 9, source: "repository" })]),
  });
  rmSync(join(seen.folder, ".cra.toml"));
});

test("schemas are JSON Schemas", async () => {
  for (const name of ["package", "bundle", "event", "config", "budget-config", "error"]) {
    expect(JSON.parse((await ran(["schema", name])).out)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
    });
  }
  const config: unknown = JSON.parse((await ran(["schema", "config"])).out);
  expect(config).toMatchObject({
    properties: { budget: { default: 32768 }, index: { properties: { commits_max: { default: 5000 } } } },
  });
  const { out } = await ran(["schema"]);
  expect(Object.keys(JSON.parse(out).schemas)).toEqual([...SCHEMA_NAMES]);
  // Validators in Python know no classes of Unicode in a pattern.
  expect(out).not.toContain(String.raw`\\p{`);
});

test("the schema of settings accepts numbers of tokens and sizes as a configuration file may write them", async () => {
  const schema = z.fromJSONSchema(JSON.parse((await ran(["schema", "config"])).out));
  const reads = (settings: unknown): boolean => schema.safeParse(settings).success;
  for (const budget of [8_000, "8000", "8k", "1.5M"]) expect([budget, reads({ budget })]).toEqual([budget, true]);
  for (const budget of [0, "8 tokens", "1.5", "k", ["8k"]])
    expect([budget, reads({ budget })]).toEqual([budget, false]);
  for (const size of [2_048, "2MiB", "2 mb", "500KB"])
    expect([size, reads({ index: { max_file_size: size } })]).toEqual([size, true]);
  for (const size of [1, "2TB", "MiB"])
    expect([size, reads({ index: { max_file_size: size } })]).toEqual([size, false]);
});
