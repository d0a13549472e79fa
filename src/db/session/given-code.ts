/**
 * Stores what code the prompts of an agent's session were given: one JSON file per session of an agent, beside those of tasks.
 *
 * The id of such a session is any text, so its hash names the file. A session is known from when it is begun: then its agent tells when the
 * context begins anew.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, replaceJsonFile } from "./json-file.ts";

export const GIVEN_SUFFIX = ".given.json";

/** Some thousand parts of code. */
const BYTES_MAX = 1024 * 1024;
/** Agents do not say that a session will never go on. */
const SESSIONS_MAX = 50;

export type GivenCodeFiles = {
  /** Nothing is given now. Throws what the system says. */
  begin(session: string): void;
  /** The stored parts, not validated; undefined for a session that did not begin. */
  read(session: string): unknown;
  /** Throws what the system says. */
  write(session: string, parts: readonly object[]): void;
};

/** `folder` is that of the sessions; `create` creates it before a file is written. */
export function openGivenCode(folder: string, create: () => void): GivenCodeFiles {
  const pathOf = (session: string): string =>
    join(folder, `${createHash("sha256").update(session).digest("hex").slice(0, 12)}${GIVEN_SUFFIX}`);
  const write = (session: string, parts: readonly object[]): void => {
    create();
    replaceJsonFile(pathOf(session), parts);
  };
  return {
    begin(session) {
      write(session, []);
      for (const path of oldest(folder)) rmSync(path, { force: true });
    },
    read: (session) => readJsonFile(pathOf(session), BYTES_MAX),
    write,
  };
}

/** The files of all but the newest sessions. */
const oldest = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(GIVEN_SUFFIX))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(SESSIONS_MAX)
    .map(({ path }) => path);
