/** The compiled program proves itself where there is nothing but the program: in a pipe, and on a terminal. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { listing, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { openCra, runCra } from "../support/run-cra.ts";

const Report = z.strictObject({
  schema_version: z.literal(1),
  version: z.string(),
  commit: z.string().nullable(),
  released: z.literal(false),
  ok: z.literal(true),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.literal(true), message: z.string() })),
});

test(
  "works in an empty folder, prints one JSON object, and leaves no files",
  async () => {
    using folder = tempFolder();
    const run = await runCra(["doctor", "--self", "--json"], { cwd: folder.path });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const { checks } = Report.parse(JSON.parse(run.stdout));
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["sqlite", "grammar python", "terminal"]));
    expect(listing(folder.path)).toEqual([]);
  },
  HANG_MS,
);

test("on a terminal, reports its size, colours, characters and keys", async () => {
  using folder = tempFolder();
  await using cra = await openCra(["doctor", "--self"], { cwd: folder.path, env: { LANG: "C.UTF-8" } });
  const { exitCode } = await cra.ended;
  expect(cra.output()).toMatch(/terminal +ok: 80x24, 256 colours, UTF-8, single keys/);
  expect(exitCode).toBe(0);
});

test("reports a terminal that is too small or cannot be drawn on", async () => {
  using folder = tempFolder();
  await using cra = await openCra(["doctor", "--self"], {
    cwd: folder.path,
    columns: 30,
    rows: 6,
    env: { TERM: "dumb", LANG: "C" },
  });
  const { exitCode } = await cra.ended;
  const output = cra.output().replace(/\s+/g, " ");
  expect(output).toContain("WRONG: 30x6, no colour, drawn with ASCII because of TERM or the locale");
  expect(output).toContain("TERM is dumb, so the interface cannot be drawn, the interface needs 40x8");
  expect(output).toContain("verdict 1 of 33 checks failed");
  expect(exitCode).toBe(1);
});
