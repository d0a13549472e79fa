/** What an index run does with its threads. */
import { expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { indexDeps, LIGHT_RUN, optionsOf } from "../../../src/app/indexing/indexing-deps.ts";
import { openWorkspace } from "../../../src/app/workspace/workspace.ts";
import { loadConfig } from "../../../src/config/read-files.ts";
import { indexRepository } from "../../../src/indexing/update/index-repo.ts";
import { openParsePool, type ParsePool } from "../../../src/syntax/parse/parse-pool.ts";
import { environmentIn } from "../../support/environment.ts";
import { tempFolder } from "../../support/folder.ts";
import { HANG_MS } from "../../support/hang.ts";
import { tempRepo } from "../../support/repo.ts";

setDefaultTimeout(HANG_MS);

/** More files than are parsed and written without a thread. */
const FILES = Object.fromEntries(
  Array.from({ length: 80 }, (_, at) => [`part${at}.py`, `def run${at}():\n    return ${at}\n`]),
);

/** How many messages with files of the generation are sent before each time that the threads that parse end, and how many in all. */
async function copiedFiles(root: string) {
  using home = tempFolder();
  const environment = environmentIn(root, { HOME: home.path });
  const config = loadConfig({ flags: [], variables: environment.variables, root });
  const workspace = await openWorkspace(root, config, environment);
  workspace.createDataFolder();
  const sent = spyOn(Worker.prototype, "postMessage");
  const copied = (): number => sent.mock.calls.filter(([message]) => message?.kind === "due").length;
  const atRest: number[] = [];
  const opened = openParsePool({ workersMax: 1 });
  const pool: ParsePool = {
    ...opened,
    rest() {
      atRest.push(copied());
      opened.rest();
    },
  };
  try {
    await indexRepository(
      indexDeps(workspace, LIGHT_RUN, pool, 1),
      optionsOf(workspace, LIGHT_RUN),
      () => undefined,
      new AbortController().signal,
    );
    return { atRest, copied: copied() };
  } finally {
    sent.mockRestore();
    pool.close();
  }
}

test("of much text, the threads that parse end before the files of the generation are copied to those that write and link", async () => {
  using small = tempRepo(FILES);
  expect(await copiedFiles(small.path)).toEqual({ atRest: [], copied: 1 });
  using large = tempRepo({ ...FILES, "data.bin": "" });
  truncateSync(join(large.path, "data.bin"), 17 * 1024 * 1024);
  expect(await copiedFiles(large.path)).toEqual({ atRest: [0], copied: 1 });
});
