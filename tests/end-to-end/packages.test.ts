/** Output of every format matches the published schemas, and all formats show the same selection. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SCHEMA_NAMES } from "../../src/cli/commands/schema.ts";
import { Bundle, ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { indexHere } from "../indexing/update/index-repo-world.ts";
import { tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { runCra, runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

/** Loading the other tokenizers takes longest, and formats do not depend on them. */
const TOKENIZER = { CRA_TOKENIZER: "approximate" };

const repo = shared(shopRepo());
const outside = shared(tempFolder());
await indexIn(repo);
const retrieve = async (...args: readonly string[]) => {
  const run = await runHere(["retrieve", SHOP_TASK, "--no-refresh", ...args], { cwd: repo.path, env: TOKENIZER });
  expect(run.exitCode).toBe(0);
  return run;
};
const pkg = ContextPackage.parse(JSON.parse((await retrieve("--json")).stdout));
/** Events are no document of their own. */
const { document: _, ...pkgInEvents } = pkg;

/** The schema as it is printed, turned into a check. */
const published = async (name: string): Promise<z.ZodType> => {
  const { stdout } = await runHere(["schema", name], { cwd: outside.path });
  return z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(JSON.parse(stdout)));
};

describe("published schemas accept", () => {
  test("a package, but not one with a single error", async () => {
    const schema = await published("package");
    expect(schema.safeParse(pkg).error).toBeUndefined();
    for (const wrong of [
      { ...pkg, more: 1 },
      { ...pkg, token_count: -1 },
      { ...pkg, files: [{ ...pkg.files[0], tier: "best" }] },
    ])
      expect(schema.safeParse(wrong).success).toBe(false);
  });

  test("a bundle", async () => {
    const [schema, { stdout }] = await Promise.all([published("bundle"), retrieve("--format", "bundle")]);
    expect(schema.safeParse(JSON.parse(stdout)).error).toBeUndefined();
    const bundle = Bundle.parse(JSON.parse(stdout));
    expect([bundle.task_id, bundle.token_count]).toEqual([pkg.task_id, pkg.token_count]);
    expect(
      bundle.nodes
        .filter(({ type }) => type === "file")
        .map(({ path }) => path)
        .sort(),
    ).toEqual(pkg.files.map(({ path }) => path).sort());
  });

  test("events, one per line, with the same package in the last", async () => {
    const [schema, { stdout }] = await Promise.all([published("event"), retrieve("--events", "jsonl")]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => z.looseObject({ event: z.string() }).parse(JSON.parse(line)));
    for (const event of events) expect(schema.safeParse(event).error).toBeUndefined();
    const kinds = events.map(({ event }) => event);
    expect([kinds[0], kinds.at(-1), kinds.filter((kind) => kind === "package").length]).toEqual([
      "run_started",
      "package",
      1,
    ]);
    expect(events.at(-1)).toEqual({ event: "package", package: pkgInEvents });
    const considered = new Set(events.flatMap((event) => (event.event === "file_considered" ? [event.path] : [])));
    expect(pkg.files.filter(({ path }) => !considered.has(path))).toEqual([]);
  });

  test("an error", async () => {
    const run = await runHere(["search", "x", "--no-quick", "--json"], { cwd: outside.path });
    expect(run.exitCode).not.toBe(0);
    expect((await published("error")).safeParse(JSON.parse(run.stdout)).error).toBeUndefined();
  });

  test("without a name, cra schema prints all of them", async () => {
    const { stdout } = await runCra(["schema"], { cwd: outside.path });
    expect(
      Object.keys(z.object({ schemas: z.record(z.string(), z.unknown()) }).parse(JSON.parse(stdout)).schemas),
    ).toEqual([...SCHEMA_NAMES]);
  });
});

test("numbers are rounded in every output", async () => {
  const { stdout } = await retrieve("--events", "jsonl");
  expect(stdout.match(/\d\.\d{7,}/g) ?? []).toEqual([]);
});

/** The script for looking into a package that its format was specified with, unchanged. */
const INSPECTION = `
import json
ctx = json.load(open('context.json'))
print(f'Files: {len(ctx["files"])}')
print(f'Tokens: {ctx["token_count"]} / {ctx["budget"]}')
print(f'Primary symbols: {sum(1 for f in ctx["files"] for s in f["symbols"] if s["relevance"] == "primary")}')
`;

test.skipIf(Bun.which("python3") === null)("the script from the specification of the format accepts it", async () => {
  const run = await runShell(
    `"$CRA" retrieve "$TASK" --repo "$REPO" --format json > context.json && python3 -c "$SCRIPT"`,
    {
      cwd: outside.path,
      env: { ...TOKENIZER, TASK: SHOP_TASK, REPO: repo.path, SCRIPT: INSPECTION },
    },
  );
  const primary = pkg.files.flatMap(({ symbols }) => symbols).filter(({ relevance }) => relevance === "primary").length;
  expect(primary).toBeGreaterThan(0);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: `Files: ${pkg.files.length}\nTokens: ${pkg.token_count} / ${pkg.budget}\nPrimary symbols: ${primary}\n`,
  });
});

test("presentation options change neither the selection nor the id", async () => {
  const file = join(outside.path, "package.json");
  const [verbose, toFile, explicit, colourless, events] = await Promise.all([
    runCra(["retrieve", SHOP_TASK, "--no-refresh", "--json", "-v"], { cwd: repo.path, env: TOKENIZER }),
    retrieve("--format", "json", "-o", file, "-v"),
    retrieve("--json", "--budget", "32768", "--stages", "scope,precision", "-q"),
    retrieve("--json", "--no-color", "--no-input"),
    retrieve("--events", "jsonl", "--format", "prompt", "-v"),
  ]);
  const text = `${JSON.stringify(pkg, null, 2)}\n`;
  expect(verbose.stdout).toBe(text);
  expect([toFile.stdout, readFileSync(file, "utf8")]).toEqual(["", text]);
  expect(explicit.stdout).toBe(text);
  expect(colourless.stdout).toBe(text);
  expect(JSON.parse(events.stdout.trimEnd().split("\n").at(-1) ?? "")).toEqual({
    event: "package",
    package: pkgInEvents,
  });
  const [markdown, prompt] = await Promise.all([retrieve(), retrieve("--format", "prompt")]);
  for (const { stderr } of [markdown, prompt]) expect(stderr).toContain(`why: cra explain ${pkg.task_id}`);
  expect((await retrieve("--json", "--budget", "500")).stdout).not.toContain(`"task_id": "${pkg.task_id}"`);
});

test("an index built step by step gives the same package bytes as one built at once", async () => {
  using grown = shopRepo();
  const data = join(grown.path, ".cra");
  expect(await indexHere(grown, data)).toBe("");
  const steps = [
    () => grown.write({ "extra/one.py": "def cart_total_one(items):\n    return sum(items)\n" }),
    () =>
      grown.write({
        "extra/one.py": "def cart_total_two(items):\n    return 2\n\n\ndef cart_total_one(items):\n    return 1\n",
      }),
    () =>
      grown.write({
        "extra/two.py":
          "from extra.one import cart_total_one\n\n\ndef cart_total_six():\n    return cart_total_one([])\n",
      }),
    () => grown.remove("extra/one.py"),
  ];
  for (const step of steps) {
    step();
    expect(await indexHere(grown, data)).toBe("");
  }
  const task = `${SHOP_TASK} and cart_total_six`;
  const ask = () =>
    runCra(["retrieve", task, "--budget", "900", "--json", "--index"], { cwd: grown.path, env: TOKENIZER });
  const { stdout } = await ask();
  grown.remove(".cra");
  expect((await ask()).stdout).toBe(stdout);
});
