/** Several processes that start to use a data folder at once. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";

const DATA_DIR = JSON.stringify(join(import.meta.dir, "../../src/db/data-folder/data-dir.ts"));
/** So many that two threads meet in some of them. */
const FOLDERS = 60;

/** A thread that makes the data folders of all repositories, each when the other one is there, and says what failed. */
const MAKER = `
  import { createDataDir } from ${DATA_DIR};
  postMessage("ready");
  onmessage = ({ data: { folders, arrived } }) => {
    const failed = [];
    for (const [at, path] of folders.entries()) {
      Atomics.add(arrived, at, 1);
      while (Atomics.load(arrived, at) < 2);
      try {
        createDataDir({ path, inRepository: true, notice: null });
      } catch (error) {
        failed.push(error.message);
      }
    }
    postMessage(failed);
  };
`;

test("a second process uses the data folder that the first created", async () => {
  using folder = tempFolder();
  const script = join(folder.path, "maker.ts");
  writeFileSync(script, MAKER);
  const repositories = Array.from({ length: FOLDERS }, (_, at) => join(folder.path, String(at)));
  for (const path of repositories) mkdirSync(path);
  const workers = [1, 2].map(() => new Worker(script));
  const answer = (worker: Worker): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  await Promise.all(workers.map(answer));
  const answers = workers.map(answer);
  const arrived = new Int32Array(new SharedArrayBuffer(4 * FOLDERS));
  const folders = repositories.map((path) => join(path, ".cra"));
  for (const worker of workers) worker.postMessage({ folders, arrived });
  expect(await Promise.all(answers)).toEqual([[], []]);
  for (const worker of workers) worker.terminate();
  for (const path of repositories) expect(readFileSync(join(path, ".cra", ".gitignore"), "utf8")).toBe("*\n");
});
