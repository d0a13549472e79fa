/** Commands that cra prints run as they are, in the folder where they are printed. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { tempRepo } from "../support/repo.ts";
import { runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";

/** What an experience needs besides. */
const OPEN = ["--hypothesis", "a", "--action", "b", "--prediction", "c"];

test("from another folder than the repository, with the data elsewhere", async () => {
  using repo = tempRepo({ "shop/cart.py": "def add_price(cart):\n    return cart\n" }, { git: true });
  using outside = tempFolder();
  const words = ["--repo", repo.path, "--data-dir", join(outside.path, "it's here")];
  const cra = (...args: readonly string[]) => runHere([...args, ...words], { cwd: outside.path });
  const run = await cra("retrieve", "the cart adds prices");
  const again = await cra("refine", /cra explain (\w+)/.exec(run.stderr)?.[1] ?? "", "--reject", "a.py");
  const [, id = "", options = ""] = /why: cra explain (\w+)(.*)/.exec(again.stderr) ?? [];
  expect(options).toBe(` --repo ${repo.path} --data-dir '${outside.path}/it'\\''s here'`);
  const why = await runShell(`"$CRA" explain ${id}${options}`, { cwd: outside.path });
  expect(why).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("shop/cart.py") });
  const file = await cra("explain", id, "shop/cart.py");
  expect(file.stdout).toEndWith(`decisions: cra explain ${id}${options} shop/cart.py -v\n`);
  const noted = await cra(
    "remember",
    "--goal",
    "adds prices",
    "--domain",
    "debugging",
    "--strategy",
    "trial-and-error",
    ...OPEN,
  );
  expect(noted.stderr).toMatch(/cra remember --update \S+ --repo .* --outcome confirmed/);
});

test.each([
  ["search price --no-quick", 10],
  ["status", 0],
  ["doctor", 10],
])("what cra %s suggests indexes the repository that it was asked about", async (words, code) => {
  using repo = tempRepo({ "shop/cart.py": "def add_price(cart):\n    return cart\n" });
  using outside = tempFolder();
  const run = await runHere([...words.split(" "), "--repo", repo.path], { cwd: outside.path });
  expect(run.exitCode).toBe(code);
  const [, line = ""] = /run: cra (.*)/.exec(run.stdout + run.stderr) ?? [];
  expect(await runShell(`"$CRA" ${line}`, { cwd: outside.path })).toMatchObject({ exitCode: 0 });
  const after = await runHere(["search", "price", "--no-quick", "--repo", repo.path], { cwd: outside.path });
  expect(after).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("add_price") });
});

test("a round of a review without a task of its own", async () => {
  const fn = (name: string, body: string): string => `def ${name}(cart):\n    return ${body}\n\n\n`;
  const cart = (body: string): string => fn("add_price", body) + fn("drop_price", body);
  using repo = tempRepo({ "shop/cart.py": cart("cart"), "shop/mail.py": fn("send", "1") }, { git: true });
  const changed = { "shop/cart.py": cart("cart + 1"), "a/new.py": fn("fresh", "2") };
  const options = ["--diff", "--since"];
  repo.write(changed);
  for (const option of options) {
    if (option === "--since") repo.commit("Change");
    const ref = option === "--since" ? ["HEAD~1"] : [];
    const first = await runHere(["retrieve", option, ...ref], { cwd: repo.path });
    const id = /cra explain (\w+)/.exec(first.stderr)?.[1] ?? "";
    const round = await runHere(["refine", id, "--accept", "shop/mail.py"], { cwd: repo.path });
    const line = /^cra: the same in one command: cra (.*)$/m.exec(round.stderr)?.[1] ?? "";
    const once = await runShell(`"$CRA" ${line}`, { cwd: repo.path });
    expect([once.exitCode, once.stdout]).toEqual([0, round.stdout]);
  }
});
