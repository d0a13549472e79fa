/** Batches that wait are read where reading is slow, each once, and only then. */
import { expect, test } from "bun:test";
import { openReadAhead, type ReadAheadMessage, startReader } from "../../../src/indexing/provisional/read-ahead.ts";
import { tempRepo } from "../../support/repo.ts";

/** Real threads, whose batches are written down. */
function watched() {
  const asked: string[][] = [];
  const threads: Worker[] = [];
  const spawn = (): Worker => {
    const worker = startReader();
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: ReadAheadMessage): void => {
      asked.push([...message.paths]);
      post(message);
    };
    threads.push(worker);
    return worker;
  };
  return { asked, threads, spawn };
}

const batchesOf = (...lists: readonly string[][]) => lists.map((paths) => ({ paths }));

test("nothing is read ahead while files are in memory", () => {
  const { threads, spawn } = watched();
  const ahead = openReadAhead({ root: "/", bytesMax: 100 }, batchesOf(["a"]), spawn);
  ahead.hear(1_000, 50);
  ahead.more();
  // Few files say nothing yet, and not for the next ones either.
  ahead.hear(20, 50);
  ahead.hear(1_000, 50);
  expect(threads).toEqual([]);
});

test("where no more threads can be started nothing is read ahead", () => {
  const ahead = openReadAhead({ root: "/", bytesMax: 100 }, batchesOf(["a"]), () => {
    throw new TypeError("Failed to spawn worker thread");
  });
  expect(() => ahead.hear(500, 500)).not.toThrow();
  ahead.more();
  ahead.close();
});

test("slow reading starts threads, which read each waiting batch once", async () => {
  using repo = tempRepo({ "a.py": "a", "b.py": "b", "large.py": "x".repeat(200) });
  const { asked, threads, spawn } = watched();
  const waiting = batchesOf(["a.py", "gone.py"], ["../outside.py"], ["large.py"]);
  const ahead = openReadAhead({ root: repo.path, bytesMax: 100 }, waiting, spawn);
  ahead.hear(400, 200);
  expect(threads).toEqual([]);
  ahead.hear(100, 50);
  ahead.hear(500, 500);
  expect(threads).toHaveLength(2);
  const answered = Promise.all(
    threads.map((thread) => new Promise((done) => thread.addEventListener("message", done))),
  );
  expect(asked).toEqual([["a.py", "gone.py"], ["../outside.py"]]);
  await answered;
  // The first thread that was ready took the third one.
  expect(asked.slice(2)).toEqual([["large.py"]]);
  waiting.push(...batchesOf(["b.py"]));
  ahead.more();
  expect(asked.slice(3)).toEqual([["b.py"]]);
  ahead.close();
  waiting.push(...batchesOf(["a.py"]));
  ahead.more();
  ahead.hear(500, 500);
  expect(asked).toHaveLength(4);
  expect(threads).toHaveLength(2);
});
