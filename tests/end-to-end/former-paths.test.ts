/** Names that files had before a commit renamed or deleted them: in tasks, hints, traces, refinements, explanations and reads. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const body = (name: string): string =>
  Array.from({ length: 6 }, (_, at) => `def ${name}_${at}(value):\n    return value + ${at}\n`).join("\n\n");

const repo = shared(
  tempRepo(
    { "src/basket.py": body("basket"), "src/rates.py": body("rates"), "src/gone.py": body("gone") },
    { git: true },
  ),
);
const renamed = (from: string, to: string): string => {
  repo.git("mv", from, to);
  return repo.commit(`Rename ${from}`).slice(0, 7);
};
const first = renamed("src/basket.py", "src/bag.py");
repo.write({ "src/bag.py": `${body("basket")}\n\ndef last(value):\n    return value\n` });
repo.commit("Add last");
renamed("src/bag.py", "src/cart.py");
repo.remove("src/gone.py");
const deletion = repo.commit("Delete it").slice(0, 7);

const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
const retrieved = async (...args: readonly string[]) => {
  const run = await cra("retrieve", ...args, "--index", "--json");
  return { said: run.stderr, ...packageOf(run) };
};
const CALLED = `was src/basket.py, which the task names, until ${first}`;

test.each(["fix the sum in src/basket.py", "fix the sum in basket.py"])(
  "%p leads to the file of today",
  async (task) => {
    const { files, said } = await retrieved(task);
    expect([files[0]?.path, files[0]?.reason]).toEqual(["src/cart.py", expect.stringContaining(CALLED)]);
    expect(said).not.toContain("not in the index");
  },
);

test("so does a hint, and a frame of a trace from then", async () => {
  const { files, said } = await retrieved("fix the sum", "--hint-path", "src/basket.py");
  expect(files[0]).toMatchObject({ path: "src/cart.py" });
  expect(files[0]?.reason).toContain(`was src/basket.py, given as a hint, until ${first}`);
  expect(said).not.toContain("matches nothing");
  const trace =
    'Traceback (most recent call last):\n  File "/srv/src/basket.py", line 6, in basket_1\nTypeError: no sum\n';
  const failed = await retrieved(`The sum fails\n\n${trace}`);
  const cart = failed.files.find(({ path }) => path === "src/cart.py");
  expect(cart?.reason).toContain(`was src/basket.py, in the stack trace, until ${first}`);
});

test("a commit that deleted the file is named", async () => {
  const note = `commit ${deletion} deleted src/gone.py`;
  expect((await retrieved("fix src/gone.py")).warnings.join()).toContain(note);
  expect((await retrieved("fix the sum", "--hint-path", "gone.py")).warnings.join()).toContain(note);
});

test("later rounds, a rebuilt round and explanations know it too", async () => {
  const { task_id, files } = await retrieved("fix the sum in src/basket.py");
  const round = packageOf(await cra("refine", task_id, "--missing-file", "src/rates.py", "--json"));
  expect(round.files.find(({ path }) => path === "src/cart.py")?.reason).toContain(CALLED);
  expect(files[0]?.path).toBe("src/cart.py");
  const now = await cra("explain", task_id, "src/basket.py");
  expect([now.exitCode, now.stdout]).toEqual([0, expect.stringContaining(CALLED)]);
  for (const typed of ["src/basket.py:basket_2", "src/basket.py::basket_2", "src/basket.py:10"]) {
    const part = await cra("explain", task_id, typed);
    expect([typed, part.exitCode, part.stdout]).toEqual([
      typed,
      0,
      expect.stringContaining("src/cart.py:9 function basket_2"),
    ]);
  }
  const gone = await cra("explain", task_id, "src/gone.py");
  expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining(`commit ${deletion} deleted src/gone.py`)]);
});

test("lines of a file that a run from before the renaming showed are explained by that run", async () => {
  using later = tempRepo({ "src/basket.py": body("basket") }, { git: true });
  const here = (...args: readonly string[]) => runHere(args, { cwd: later.path });
  const { task_id } = packageOf(await here("retrieve", "fix the sum in src/basket.py", "--index", "--json"));
  later.git("mv", "src/basket.py", "src/cart.py");
  later.commit("Rename it");
  await here("index");
  for (const typed of ["src/basket.py", "src/basket.py:1-3", "src/basket.py:6"]) {
    const { stdout } = await here("explain", task_id, typed);
    expect([typed, stdout]).toEqual([typed, expect.stringMatching(/^src\/basket\.py\n {2}verdict +in, /)]);
  }
});

const RENAMED = `src/cart.py was called src/basket.py until commit ${first}`;

test("a failure that is handed on, and the files that a refinement names, lead to the files of today", async () => {
  const { task_id } = await retrieved("fix the rates");
  const bundle = join(repo.path, ".git/bundle.json");
  const trace =
    'Traceback (most recent call last):\n  File "/srv/src/basket.py", line 6, in basket_1\nTypeError: no sum\n';
  writeFileSync(bundle, JSON.stringify({ schema_version: 1, error_message: "TypeError: no sum", stack_trace: trace }));
  for (const asked of [
    ["--handoff", bundle],
    ["--missing-file", "src/basket.py"],
    ["--accept", "src/basket.py"],
  ]) {
    const run = await cra("refine", task_id, ...asked, "--drop-constraints", "--json");
    expect([asked, packageOf(run).files.map(({ path }) => path)]).toEqual([
      asked,
      expect.arrayContaining(["src/cart.py"]),
    ]);
    expect(run.stderr).toContain(RENAMED);
    expect(run.stderr).not.toContain("not in the index");
  }
  const both = await cra("refine", task_id, "--missing-file", "src/basket.py", "--reject", "src/cart.py");
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("is in --missing-file and in --reject")]);
  const gone = await cra("refine", task_id, "--missing-file", "src/gone.py");
  expect(gone.stderr).toContain(`commit ${deletion} deleted src/gone.py`);
});

test("what earlier rounds asked for leads to the files of today", async () => {
  using later = tempRepo(
    {
      "src/basket.py": body("basket"),
      "src/rates.py": body("rates"),
      "src/taxes.py": body("taxes"),
      "src/mail.py": body("mail"),
    },
    { git: true },
  );
  const here = (...args: readonly string[]) => runHere(args, { cwd: later.path });
  const asked = ["--accept", "src/basket.py", "--reject", "src/rates.py", "--leave-out", "src/basket.py:basket_2"];
  const { task_id } = packageOf(await here("retrieve", "fix the sum of basket and rates", "--index", "--json"));
  const missing = ["--missing-symbol", "src/taxes.py:taxes_3"];
  packageOf(await here("refine", task_id, ...asked, "--signature", "src/basket.py:basket_1", ...missing, "--json"));
  for (const [from, to] of [
    ["src/basket.py", "src/cart.py"],
    ["src/rates.py", "src/prices.py"],
    ["src/taxes.py", "src/duties.py"],
  ] as const)
    later.git("mv", from, to);
  const commit = later.commit("Rename them").slice(0, 7);
  const run = await here("refine", task_id, "--error", "TypeError: no sum", "--json");
  const { files } = packageOf(run);
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(["src/cart.py", "src/duties.py"]));
  expect(files.map(({ path }) => path)).not.toContain("src/prices.py");
  const cart = files.find(({ path }) => path === "src/cart.py")?.symbols ?? [];
  expect(cart.map(({ name }) => name)).not.toContain("basket_2");
  expect(cart.find(({ name }) => name === "basket_1")).toMatchObject({ shown: "signature" });
  for (const [was, now] of [
    ["basket", "cart"],
    ["rates", "prices"],
    ["taxes", "duties"],
  ])
    expect(run.stderr).toContain(`src/${now}.py was called src/${was}.py until commit ${commit}`);
  expect(run.stderr).not.toContain("not in the index");
  // What is stored has the names of today.
  const next = await here("refine", task_id, "--error", "KeyError: no sum", "--json");
  expect(next.stderr).not.toContain("was called");
  expect(packageOf(next).files.map(({ path }) => path)).not.toContain("src/prices.py");
});

test("each of many files that earlier rounds named leads to the file of today", async () => {
  const names = ["apples", "pears", "plums", "grapes", "limes", "figs", "dates", "kiwis"];
  using later = tempRepo(Object.fromEntries(names.map((name) => [`src/${name}.py`, body(name)])), { git: true });
  const here = (...args: readonly string[]) => runHere(args, { cwd: later.path });
  const { task_id } = packageOf(await here("retrieve", `fix the sum of ${names.join(", ")}`, "--index", "--json"));
  const rejected = names.slice(1).flatMap((name) => ["--reject", `src/${name}.py`]);
  packageOf(await here("refine", task_id, ...rejected, "--json"));
  later.git("mv", "src", "lib");
  later.commit("Rename the folder");
  const run = await here("refine", task_id, "--error", "TypeError: no sum", "--json");
  expect(packageOf(run).files.map(({ path }) => path)).toEqual(["lib/apples.py"]);
});

test("a name of a part of a file, typed as it was, leads to the file of today", async () => {
  const { task_id } = await retrieved("fix the rates");
  const run = await cra(
    "refine",
    task_id,
    "--missing-symbol",
    "src/basket.py:basket_3",
    "--drop-constraints",
    "--json",
  );
  expect(packageOf(run).files.map(({ path }) => path)).toContain("src/cart.py");
  expect(run.stderr).toContain(RENAMED);
});

test("the tool read shows the file of today, or says which commit deleted it", async () => {
  await retrieved("fix the sum");
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  const read = (what: string) => callTool(mcp, "read", { what });
  for (const [what, symbol] of [
    ["src/basket.py", null],
    ["b/src/basket.py", null],
    ["/home/me/proj/src/basket.py:6", "basket_1"],
    ["src/basket.py:basket_2", "basket_2"],
    ["src/basket.py::basket_2", "basket_2"],
  ] as const)
    expect([what, (await read(what)).structured]).toMatchObject([what, { path: "src/cart.py", symbol, note: RENAMED }]);
  expect(JSON.stringify(await read("src/gone.py"))).toContain(`commit ${deletion} deleted src/gone.py`);
  expect(JSON.stringify(await read("src/never.py"))).toContain("nothing is called");
});

test("a path that no commit had is told as before, and so is one that a file has again", async () => {
  const { said, warnings } = await retrieved("fix src/cort.py", "--hint-path", "src/never.py");
  expect(said).toContain("src/never.py");
  expect(warnings.join()).toContain('"src/cort.py", which is not in the index; did you mean src/cart.py?');
});

test("without git the answer is the same", async () => {
  const args = ["retrieve", "fix the sum in src/basket.py", "--json"] as const;
  const bare = await runHere(args, { cwd: repo.path, env: { PATH: "" } });
  expect(packageOf(bare).files).toEqual(packageOf(await cra(...args)).files);
});
