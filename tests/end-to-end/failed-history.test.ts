/** A git that fails half-way: the history that was known stays, the user is told, and nothing vouches for the index as if it were whole. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";

setDefaultTimeout(HANG_MS);

const Status = z.looseObject({
  index: z.looseObject({
    content_hash: z.string(),
    history_problem: z.string().nullable(),
    counts: z.looseObject({ commits: z.int() }),
  }),
});

test("an earlier history is kept, named, and part of the content hash", async () => {
  using tools = tempFolder();
  // Its objects can only be read by git, which something ends as soon as it reads commits.
  const ended = join(tools.path, "git");
  const script = `#!/bin/sh\ncase "$*" in *cat-file*) kill -KILL $$ ;; esac\nexec '${Bun.which("git")}' "$@"\n`;
  writeFileSync(ended, script, { mode: 0o755 });
  using repo = tempRepo({ "cart.py": "def total(): pass\n", "price.py": "def price(): pass\n" });
  repo.git("init", "--quiet", "--object-format=sha256");
  repo.commit("First");
  const cra = (args: readonly string[], path = process.env.PATH ?? "") =>
    runCra(args, { cwd: repo.path, env: { PATH: path } });
  const failing = `${tools.path}:${process.env.PATH}`;
  const status = async () => Status.parse(JSON.parse((await cra(["status", "--json"])).stdout)).index;

  expect(await cra(["index", "-q"])).toMatchObject({ exitCode: 0, stderr: "" });
  const first = await status();
  expect(first).toMatchObject({ history_problem: null, counts: { commits: 1 } });
  repo.write({ "cart.py": "def total():\n    return price()\n" });
  repo.commit("Second");

  const index = await cra(["index"], failing);
  expect(index.exitCode).toBe(0);
  expect(index.stderr).toContain(
    "git history could not be read: git was ended: something sent it SIGKILL; the history of ",
  );
  expect(index.stdout).toMatch(/\ncommits +1 of [0-9a-f]{12}: git was ended/);
  expect(await cra(["index", "--strict"], failing)).toMatchObject({ exitCode: 3 });
  const second = await status();
  expect(second).toMatchObject({ history_problem: expect.stringContaining("git was ended"), counts: { commits: 1 } });
  expect(await cra(["doctor"], failing)).toMatchObject({ exitCode: 0 });
  const told = await cra(["retrieve", "total is wrong", "--json", "-q"], failing);
  expect(JSON.parse(told.stdout)).toMatchObject({
    warnings: expect.arrayContaining([expect.stringContaining("git history could not be read")]),
  });

  expect(await cra(["index"])).toMatchObject({ exitCode: 0, stderr: "" });
  const third = await status();
  expect(third).toMatchObject({ history_problem: null, counts: { commits: 2 } });
  expect(new Set([first, second, third].map(({ content_hash }) => content_hash)).size).toBe(3);
});
