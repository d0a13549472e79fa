/**
 * What `cra setup` changed, so that it can be undone to the byte: one file of the user's state folder for each changed file, readable
 * by this user only, with the content before.
 */

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Piece } from "../../setup/pieces.ts";
import { type Change, type FilePlan, undone, withoutInserted } from "../../setup/plan.ts";
import { readGivenFile } from "../../source/files/read-file.ts";
import { parseJson } from "../../text/parse-json.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import { writeWhole } from "../output/write-file.ts";

const Entry = z.object({
  schema_version: z.literal(1),
  path: z.string(),
  /** The repository that it was changed for; null for the user. */
  project: z.string().nullable(),
  before: z.string().nullable(),
  after_sha256: z.string(),
  inserted: z.array(z.string()),
  /** Folders that were made for the file, the deepest last. */
  folders: z.array(z.string()),
});
type Entry = z.infer<typeof Entry>;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export type ChangeLog = {
  /** Changes a file and remembers how it was. Throws an `io` failure, and leaves both as they were. */
  write(path: string, change: Pick<FilePlan, "before" | "after" | "inserted" | "pieces">): void;
  /** The text of a file without cra's part, null if the file is to go; and what of it was inserted. */
  undo(
    path: string,
    text: string,
    pieces: readonly Piece[],
  ): { readonly rest: string | null; readonly own: readonly string[] };
  /** All files that were changed for this project or this user, and not restored. */
  changed(): readonly string[];
  /** Writes or removes the file, and forgets it. Returns the folders that were made for it. Throws an `io` failure, and leaves it as it is. */
  restore(path: string, text: string | null): readonly string[];
};

/** `project`: the root of the repository that files are changed for; null for the user. */
export function changeLog(stateFolder: string, project: string | null): ChangeLog {
  const folder = join(stateFolder, "cra", "setup");
  const fileOf = (path: string): string => join(folder, `${sha256(path).slice(0, 32)}.json`);
  const entryOf = (path: string): Entry | null => {
    const entry = entryIn(fileOf(path));
    return entry?.path === path ? entry : null;
  };
  return {
    write(path, { before, after, inserted, pieces }) {
      const known = entryOf(path);
      // A file that is gone has nothing of an earlier change.
      const earlier = before === null ? null : known;
      const own = earlier === null ? before : ownText(earlier, before ?? "", pieces);
      const entry: Entry = {
        schema_version: 1,
        path,
        project,
        before: own === undefined ? before : own,
        // Where it is not known what was there, what was added is looked for.
        after_sha256: own === undefined ? "" : sha256(after),
        inserted: [...(earlier?.inserted ?? []), ...inserted],
        folders: known?.folders ?? missingFolders(dirname(path)),
      };
      const keep = (one: Entry): void => {
        writeWhole(fileOf(path), `${JSON.stringify(one)}\n`, { force: true });
        chmodSync(fileOf(path), 0o600);
      };
      checkWritable(path);
      makeFolder(folder, 0o700);
      keep(entry);
      try {
        makeFolder(dirname(path));
        writeWhole(path, after, { force: true });
      } catch (error) {
        // Nothing was changed, so nothing of this is to be undone.
        if (known === null) rmSync(fileOf(path), { force: true });
        else keep(known);
        removeEmpty(known === null ? entry.folders : []);
        throw error;
      }
    },
    undo(path, text, pieces) {
      const entry = entryOf(path);
      const change: Change | null =
        entry === null
          ? null
          : { before: entry.before, inserted: entry.inserted, isCurrent: entry.after_sha256 === sha256(text) };
      return { rest: undone(text, change, pieces), own: entry?.inserted ?? [] };
    },
    changed() {
      const names = existsSync(folder) ? orFailed(folder, () => readdirSync(folder)).sort() : [];
      return names.flatMap((name) => {
        const entry = readableEntry(join(folder, name));
        return entry !== null && entry.project === project ? [entry.path] : [];
      });
    },
    restore(path, text) {
      checkWritable(path);
      if (text === null) orFailed(path, () => rmSync(path, { force: true }));
      else writeWhole(path, text, { force: true });
      const folders = entryOf(path)?.folders ?? [];
      orFailed(fileOf(path), () => rmSync(fileOf(path), { force: true }));
      return folders;
    },
  };
}

const WRITABLE = 0o222;

/** The rights of its folder alone would allow replacing a file, but a user who made it read-only wants it unchanged. */
function checkWritable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & WRITABLE) !== 0) return;
  throw new Failed({ code: "io", where: path, message: "it is read-only", next: "nothing was changed" });
}

/** Throws an `io` failure where the system does not let it. */
function orFailed<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = systemErrorWords(error);
    throw new Failed({ code: "io", where: path, message, next: "nothing was changed" }, { cause: error });
  }
}

const makeFolder = (folder: string, mode = 0o777): unknown =>
  orFailed(folder, () => mkdirSync(folder, { recursive: true, mode }));

/** What a changed file has without the change, after edits too; undefined if that cannot be told. */
const ownText = (
  { before, after_sha256: left, inserted }: Entry,
  now: string,
  pieces: readonly Piece[],
): string | null | undefined => (left === sha256(now) ? before : (withoutInserted(now, inserted, pieces) ?? undefined));

/** Holds the largest file that is changed (`user-file.ts`), also where each character of it is escaped. */
const ENTRY_BYTES_MAX = 256 * 1024 * 1024;

/** Null where there is none. Throws an `io` failure for one that cannot be read. */
function entryIn(file: string): Entry | null {
  if (!existsSync(file)) return null;
  const read = readGivenFile(file, ENTRY_BYTES_MAX);
  if (read.kind === "problem") {
    const message = `the record of its changes: ${read.why}`;
    throw new Failed({ code: "io", where: file, message, next: "nothing was changed" });
  }
  const found = Entry.safeParse(parseJson(new TextDecoder().decode(read.bytes)));
  return found.success ? found.data : null;
}

/** Null for one that cannot be read too: what it is about is not known. */
function readableEntry(file: string): Entry | null {
  try {
    return entryIn(file);
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** The folders that have to be made, the deepest last. */
function missingFolders(folder: string): string[] {
  if (existsSync(folder) || dirname(folder) === folder) return [];
  return [...missingFolders(dirname(folder)), folder];
}

/** Removes the folders that are empty by now, the deepest first. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    try {
      rmdirSync(folder);
    } catch (error) {
      // A folder that has something else in it stays.
      if (errorCode(error) === null) throw error;
    }
}

/** Throws an `io` failure when the file is not as it was when the change was shown. */
export function checkUnchanged(path: string, shown: string | null, now: string | null): void {
  if (shown === now) return;
  throw new Failed({ code: "io", where: path, message: "it changed meanwhile", next: "run cra setup again" });
}
