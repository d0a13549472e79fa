/** The status of a repository whose index another process is making or updating. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openApp } from "../../../src/app/app.ts";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { takeIndexLock } from "../../../src/db/sqlite/lock.ts";
import { GRAMMAR_VERSION } from "../../../src/languages/grammar-packages.ts";
import { statusJson, statusText } from "../../../src/present/status-report.ts";
import { environmentIn } from "../../support/environment.ts";
import { tempFolder } from "../../support/folder.ts";
import { tempRepo } from "../../support/repo.ts";

const NEVER = new AbortController().signal;
const RUN = { failFast: false, rebuild: false, onProgress: () => {} };
const WRITER = "process 4321 on afar, since noon";

test("the grammars are counted, and listed where details are wanted or a program reads them", async () => {
  using repo = tempRepo({});
  using home = tempFolder();
  const app = await openApp({ environment: environmentIn(repo.path, { HOME: home.path }), repo: null, flags: [] });
  const found = await app.status(NEVER);
  expect(statusText(found, null)).toMatch(/^grammars +11 packages$/m);
  expect(statusText(found, null, "all")).toContain(GRAMMAR_VERSION);
  expect(statusJson(found, null).versions.grammars).toBe(GRAMMAR_VERSION);
  app.close();
});

test("names the process that writes the index", async () => {
  using repo = tempRepo({ ".cra/.gitignore": "*\n", "a.py": "a = 1\n" });
  using home = tempFolder();
  const app = await openApp({ environment: environmentIn(repo.path, { HOME: home.path }), repo: null, flags: [] });
  const status = async () => {
    const found = await app.status(NEVER);
    return [
      statusText(found, null)
        .match(/^index {2}.*$/m)?.[0]
        .replace(/ +/, ": "),
      statusJson(found, null).writer,
    ];
  };
  const whileWritten = async () => {
    const holder = { pid: 4321, host: "afar", startedAt: "noon" };
    const lock = await takeIndexLock(dataPaths(join(repo.path, ".cra")).lock, holder, 0);
    try {
      return await status();
    } finally {
      lock.release();
    }
  };
  expect(await status()).toEqual(["index: none; run: cra index", null]);
  expect(await whileWritten()).toEqual([`index: being made by ${WRITER}`, WRITER]);
  await app.index(RUN, NEVER);
  repo.write({ "b.py": "b = 1\n" });
  expect(await whileWritten()).toEqual([`index: stale: 1 added; being updated by ${WRITER}`, WRITER]);
  await app.index(RUN, NEVER);
  expect(await status()).toEqual(["index: up to date", null]);
  app.close();
});
