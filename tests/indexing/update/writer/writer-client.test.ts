/** How many texts wait for the thread that writes. */
import { expect, test } from "bun:test";
import { startWriter, type WriterSession } from "../../../../src/indexing/update/writer/writer-client.ts";
import { tempRepo } from "../../../support/repo.ts";
import { sharedWorlds, writerPathsOf } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const LONG = "x".repeat(5 * 1024 * 1024);
const FILE = { path: "a.txt", language: "text", contentHash: "0".repeat(64), sizeBytes: LONG.length, isTest: false };
const put = (session: WriterSession, text: string): void =>
  session.put([{ ...FILE, id: null, content: { text, stats: new Uint8Array() } }]);

test("parsing waits while long texts wait for the writer, and never longer than it lives", async () => {
  using repo = tempRepo({});
  const { root, paths } = worldOf(repo);
  const begin = () => startWriter({ root, files: writerPathsOf(paths) }, () => undefined, new AbortController().signal);
  const session = begin();
  const order: string[] = [];
  put(session, "short");
  await session.hasRoom().then(() => order.push("short"));
  put(session, LONG);
  const waiting = session.hasRoom().then(() => order.push("long"));
  await Promise.resolve();
  order.push("meanwhile");
  await waiting;
  await session.abandon();
  put(session, LONG);
  await session.hasRoom();
  expect(order).toEqual(["short", "meanwhile", "long"]);

  const ended = begin();
  put(ended, LONG);
  const left = ended.hasRoom();
  await ended.abandon();
  await left;
});
