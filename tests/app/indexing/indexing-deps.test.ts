/** What an index run does with its threads. */
import { expect, setDefaultTimeout, spyOn, test } from "bun:test";
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

test("the threads that parse end before the files of the generation are copied to those that write and link", async () => {
  using repo = tempRepo(FILES);
  using home = tempFolder();
  const environment = environmentIn(repo.path, { HOME: home.path });
  const config = loadConfig({ flags: [], variables: environment.variables, root: repo.path });
  const workspace = await openWorkspace(repo.path, config, environment);
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
    expect([atRest, copied()]).toEqual([[0], 1]);
  } finally {
    sent.mockRestore();
    pool.close();
  }
});
