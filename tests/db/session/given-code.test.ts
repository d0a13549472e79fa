/** What an agent's session was given: kept by session, for those that began, and not for ever. */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGivenCode } from "../../../src/db/session/given-code.ts";
import { tempFolder } from "../../support/folder.ts";

const open = (path: string) => {
  const folder = join(path, "sessions");
  return { folder, given: openGivenCode(folder, () => void mkdirSync(folder, { recursive: true })) };
};
const SESSIONS = ["0b7c", "../../evil", "\x1b[2J\0", "x".repeat(1_000), "購物"];

test("each session has its own parts, whatever its id is", () => {
  using temp = tempFolder();
  const { folder, given } = open(temp.path);
  expect(SESSIONS.map(given.read)).toEqual(SESSIONS.map(() => undefined));
  for (const session of SESSIONS) given.begin(session);
  for (const [at, session] of SESSIONS.entries()) given.write(session, [{ at }]);
  expect(SESSIONS.map(given.read)).toEqual(SESSIONS.map((_, at) => [{ at }]));
  given.begin(SESSIONS[1] ?? "");
  expect(SESSIONS.map(given.read)).toEqual(SESSIONS.map((_, at) => (at === 1 ? [] : [{ at }])));
  expect(readdirSync(temp.path)).toEqual(["sessions"]);
  expect(readdirSync(folder).every((name) => /^[0-9a-f]{12}\.given\.json$/.test(name))).toBe(true);
  expect(readdirSync(folder)).toHaveLength(SESSIONS.length);
});

test("a file that is unreadable or a link counts as missing, and is replaced", () => {
  using temp = tempFolder();
  const { folder, given } = open(temp.path);
  given.begin("one");
  const [name = ""] = readdirSync(folder);
  writeFileSync(join(folder, name), "[{");
  expect(given.read("one")).toBeUndefined();
  given.write("one", [{ a: 1 }]);
  expect(given.read("one")).toEqual([{ a: 1 }]);
  const outside = join(temp.path, "outside.json");
  writeFileSync(outside, "[1]");
  given.begin("two");
  const [other = ""] = readdirSync(folder).filter((file) => file !== name);
  symlinkSync(outside, join(folder, `${other}.new`));
  renameSync(join(folder, `${other}.new`), join(folder, other));
  expect(given.read("two")).toBeUndefined();
  given.write("two", []);
  expect(statSync(outside).size).toBe(3);
});

test("the oldest of more than fifty are forgotten", () => {
  using temp = tempFolder();
  const { folder, given } = open(temp.path);
  const sessions = Array.from({ length: 60 }, (_, at) => `session ${at}`);
  for (const [at, session] of sessions.entries()) {
    const before = new Set(at === 0 ? [] : readdirSync(folder));
    given.begin(session);
    for (const name of readdirSync(folder)) if (!before.has(name)) utimesSync(join(folder, name), at, at);
  }
  expect(readdirSync(folder)).toHaveLength(50);
  expect(sessions.map((session) => given.read(session) !== undefined)).toEqual(sessions.map((_, at) => at >= 10));
});
