/** A format with a size of its own: what is recorded of a run is what it printed, and the budget that a refusal names works. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { tempFolder } from "../support/folder.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { parsedXml } from "../support/xml.ts";

const TASK = "the cart adds prices";

/** Short files: elements around each make XML longer than Markdown. */
const shortFiles = (): TempRepo =>
  tempRepo(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `shop/cart_${at}.py`,
        `def add_price_${at}(cart):\n    return cart < ${at} & 1\n`,
      ]),
    ),
    { git: true },
  );

const Explained = z.object({ files: z.array(z.object({ path: z.string(), shown: z.boolean() })) });

test("explain speaks of the package that was printed", async () => {
  using repo = shortFiles();
  using data = tempFolder();
  const cra = (...args: readonly string[]) => runHere([...args, "--data-dir", data.path], { cwd: repo.path });
  for (const budget of [400, 900, 1_500]) {
    const run = await cra("retrieve", TASK, "--format", "xml", "--coverage", "1", "--budget", `${budget}`);
    expect(run.exitCode).toBe(0);
    const printed = parsedXml(run.stdout).filter(({ name }) => name === "source");
    expect(printed.length).toBeGreaterThan(0);
    const [, id = ""] = /cra explain ([0-9a-f]+)/.exec(run.stderr) ?? [];
    const { files } = Explained.parse(JSON.parse((await cra("explain", id, "--json")).stdout));
    const shown = files.flatMap((file) => (file.shown ? file.path : []));
    expect(shown).toEqual(printed.map(({ text }) => text));
    expect(run.stderr).toContain(`cra: ${shown.length} file`);
  }
});

test("explain, the log and -v count the text that was printed", async () => {
  using repo = shortFiles();
  using data = tempFolder();
  const cra = (...args: readonly string[]) => runHere([...args, "--data-dir", data.path], { cwd: repo.path });
  for (const format of ["xml", "markdown"]) {
    const { stderr } = await cra("retrieve", TASK, "--format", format, "--coverage", "1", "--budget", "900", "-v");
    const [, tokens = "", id = ""] = /(\d+) of 900 tokens.*cra explain ([0-9a-f]+)/.exec(stderr) ?? [];
    expect(stderr).toContain(`Budget: ${tokens} of 900 tokens`);
    expect(stderr).toContain(`Stopped at ${tokens} of 900 tokens`);
    expect((await cra("explain", id)).stdout).toContain(`budget  ${tokens} of 900 tokens`);
    expect((await cra("log", id)).stdout).toMatch(new RegExp(`budget +${tokens} of 900 tokens`));
  }
});

test("the smallest budget that a refusal names is enough", async () => {
  using repo = shortFiles();
  using data = tempFolder();
  const cra = (...args: readonly string[]) =>
    runHere(["retrieve", TASK, "--format", "xml", ...args, "--data-dir", data.path], { cwd: repo.path });
  for (const option of ["--budget", "--max-lines"]) {
    const refused = await cra(option, "5");
    const [, least = ""] = /smallest that works is (\d+)/.exec(refused.stderr) ?? [];
    expect(refused.exitCode).toBe(2);
    expect(await cra(option, least)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("<context_package>"),
    });
  }
});

test.each(["xml", "prompt", "json"])("the one command for a round prints it in the same format: %s", async (format) => {
  using repo = shortFiles();
  using data = tempFolder();
  const cra = (...args: readonly string[]) => runHere([...args, "--data-dir", data.path], { cwd: repo.path });
  const [, id = ""] = /cra explain ([0-9a-f]+)/.exec((await cra("retrieve", TASK)).stderr) ?? [];
  const round = await cra("refine", id, "--reject", "shop/cart_3.py", "--format", format);
  const [, line = ""] = /^cra: the same in one command: cra (.*)$/m.exec(round.stderr) ?? [];
  const once = await runShell(`"$CRA" ${line}`, { cwd: repo.path });
  expect(line).toContain(`--format ${format}`);
  // JSON tells of the command that made it.
  if (format === "json") expect(JSON.parse(once.stdout)).toHaveProperty("files");
  else expect(once.stdout).toBe(round.stdout);
});
