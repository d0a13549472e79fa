/** Files of any content and name are indexed or skipped with a reason, and none affects another. */
import { expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { HOLD_TOTAL, ODD_FILES, TOO_SLOW } from "../support/odd-files.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";

const Summary = z.object({
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  problems: z.array(z.object({ path: z.string(), why: z.string() })),
});

/** A name that is no UTF-8; some systems refuse it. */
const NOT_UTF8 = Buffer.from([0x6e, 0xff, 0x2e, 0x70, 0x79]);

const repo = shared(tempRepo(Object.fromEntries(ODD_FILES.map(({ name, content }) => [name, content]))));
const hasSparse = made(() => {
  writeFileSync(join(repo.path, "sparse.py"), "");
  truncateSync(join(repo.path, "sparse.py"), 3 * 1024 ** 3);
});
const hasNotUtf8 = made(() => writeFileSync(Buffer.concat([Buffer.from(`${repo.path}/`), NOT_UTF8]), "x = 1\n"));
const verbose = await runCra(["index", "-v"], { cwd: repo.path });

function made(make: () => void): boolean {
  try {
    make();
    return true;
  } catch {
    return false; // The file system does not take it.
  }
}

test("the run succeeds and prints only what it skipped", () => {
  expect(verbose.exitCode).toBe(0);
  for (const line of verbose.stderr.trimEnd().split("\n"))
    expect(line).toMatch(/^(skipped|problem) \S+: \S|^cra: note: no git history/);
});

test.each(ODD_FILES.map(({ name, reason }) => [name, reason] as const))("%s: %p", (name, reason) => {
  const told = /^skipped (\S+): (.+)$/gm;
  const reasons = new Map([...verbose.stderr.matchAll(told)].map((match) => [match[1], match[2]]));
  expect(reasons.get(name) ?? null).toBe(reason);
});

test("a file too large for memory and a name that is not UTF-8 are reported", () => {
  expect(verbose.stderr.includes("skipped sparse.py: too-large\n")).toBe(hasSparse);
  expect(verbose.stderr.includes("skipped n\u{fffd}.py: name\n")).toBe(hasNotUtf8);
});

test("every indexed file is stored, with its symbols if it has any", async () => {
  const kb = openKnowledgeBase(dataPaths(join(repo.path, ".cra")).curated, repo.path);
  const files = kb.files();
  expect(files.map(({ path }) => path)).toEqual(
    ODD_FILES.flatMap(({ name, reason }) => (reason === null ? [name] : [])).sort(),
  );
  const named = new Map(files.map(({ id, path }) => [id, path]));
  const holding = kb.symbolsNamed(["total"]).map(({ fileId }) => named.get(fileId) ?? "");
  expect(HOLD_TOTAL.length).toBeGreaterThan(12);
  for (const name of HOLD_TOTAL) expect(holding).toContain(name);
  for (const text of kb.texts(files.map(({ id }) => id)).values()) expect(text).not.toContain("\u{fffd}");
  kb.close();
});

test("files that are too much work or crash the parser are reported at each run; the next run finds no changes", async () => {
  const again = await runCra(["index", "--json"], { cwd: repo.path });
  const { problems } = Summary.parse(JSON.parse(again.stdout));
  const told = problems.map(({ path, why }) => `problem ${path}: ${why}`).sort();
  expect(
    verbose.stderr
      .split("\n")
      .filter((line) => line.startsWith("problem "))
      .sort(),
  ).toEqual(told);
  expect(told).toContain(`problem ${TOO_SLOW}: too much work for its parser`);
  for (const { why } of problems)
    expect(why).toMatch(/^(too much work for its parser|the parser failed: \S|the parser crashed)/);
  expect(JSON.parse(again.stdout)).toMatchObject({ changes: { added: 0, changed: 0, removed: 0 }, parsed: 0 });
});

test("a package can be built from these files", async () => {
  const run = await runCra(["retrieve", "total of items is wrong", "-q", "--no-refresh"], { cwd: repo.path });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("def total(items)");
});
