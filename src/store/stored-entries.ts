/**
 * Repositories of a team's store in a list of repositories: the store's address, `#`, and a name or glob
 * (`postgres://me@db/cra#team/*`), after another `#` the bucket that holds the store's chunks.
 */
import { posix } from "node:path";
import { Failed } from "../failure.ts";
import type { Notice } from "../notice.ts";
import { isStoreAddress, readStoreAddress } from "./address.ts";
import { isGrantPattern, matchesPattern } from "./grant-pattern.ts";

/** `pattern` is a name in which `*` stands for any letters. */
export type StoredEntry = {
  readonly address: string;
  readonly pattern: string;
  readonly bucket: string | undefined;
  readonly notices: readonly Notice[];
};

export const isStoredEntry = isStoreAddress;

/** Throws a usage failure for an address with a password or that is none, and for what is no name. */
export function readStoredEntry(entry: string): StoredEntry {
  const [address = "", pattern = "", bucket] = entry.split("#");
  const reading = readStoreAddress(address, "cra");
  if (!reading.ok)
    throw new Failed({ code: "usage", message: `the address of a store ${reading.why}`, next: reading.next });
  if (!isGrantPattern(pattern))
    throw new Failed({
      code: "usage",
      message: "a store is asked, and none of its repositories is named",
      next: "name some: --from postgres://user@host/database --repos 'team/*'",
    });
  const { encryption, isLocal, shown } = reading.address;
  const isOpen = encryption === "off" && !isLocal;
  return { address, pattern, bucket, notices: isOpen ? [{ code: "store-open", host: shown }] : [] };
}

/** How a repository is written that `--repos` names beside `--from`. A path is one of this machine. Throws as `readStoredEntry` does. */
export function storedEntry(address: string, bucket: string | undefined, typed: string): string {
  if (/^(?:[.~/\\]|[A-Za-z]:)/.test(typed)) return typed;
  const entry = `${address}#${typed}${bucket === undefined ? "" : `#${bucket}`}`;
  readStoredEntry(entry);
  return entry;
}

/** What an entry of a list of repositories is called: the name or glob, or the path. */
export const shownEntry = (entry: string): string => (isStoredEntry(entry) ? readStoredEntry(entry).pattern : entry);

/** A path that begins with the name of a repository of a store that a list names, without `.` and `..`; null for any other. */
export function pathInStored(entries: readonly string[], typed: string): string | null {
  const path = posix.normalize(typed).replace(/\/$/, "");
  const patterns = entries.filter(isStoredEntry).map((entry) => readStoredEntry(entry).pattern);
  const ends = [...path.matchAll(/\/|$/g)].map(({ index }) => path.slice(0, index));
  return !typed.includes("\0") && ends.some((name) => patterns.some((one) => matchesPattern(one, name))) ? path : null;
}
