/**
 * Opens a file or folder of an untrusted repository and proves that it lies at that path.
 *
 * Another process may swap any folder on the way for a link at any moment, so a check of the path proves nothing about what was opened. Linux
 * names the path of an opened handle. Elsewhere, every part of the path must be the same before and after, several times.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { join, sep } from "node:path";

export type OpenedFile = { readonly descriptor: number; readonly stat: Stats };

/** Linux opens a handle with this flag without reading: a pipe does not block and a device does nothing. */
const O_PATH = 0o10_000_000;
const READ = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file for reading. `root` must be a real path, `path` a repository path. Throws a system error, or one whose message says why
 * the file is refused; the caller closes the descriptor.
 */
export function openFileInside(root: string, path: string): OpenedFile {
  const handle = openHandle(root, path, (descriptor) => {
    const stat = fstatSync(descriptor);
    refuseOther(stat, "file");
    return stat;
  });
  if (handle === null) return openChecked(root, path);
  try {
    return { descriptor: openSync(`/proc/self/fd/${handle.descriptor}`, READ), stat: handle.checked };
  } finally {
    closeSync(handle.descriptor);
  }
}

/** Opens files as `openFileInside`. Of those in one folder that follow one another, the place of the folder is proven once. */
type FilesInside = {
  /** Throws as `openFileInside`. */
  open(path: string): OpenedFile;
  /** Lets go of the last folder. */
  close(): void;
};

export function filesInside(root: string): FilesInside {
  let last: { readonly folder: string; readonly descriptor: number } | null = null;
  const close = (): void => {
    if (last !== null) closeSync(last.descriptor);
    last = null;
  };
  return {
    open(path) {
      const nameAt = path.lastIndexOf("/") + 1;
      const folder = path.slice(0, Math.max(0, nameAt - 1));
      if (last?.folder !== folder) {
        close();
        const handle = openFolder(root, folder);
        if (handle === null) return openChecked(root, path);
        last = { folder, descriptor: handle.descriptor };
      }
      return openEntry(`/proc/self/fd/${last.descriptor}/${path.slice(nameAt)}`);
    },
    close,
  };
}

/** Opens a regular file for reading. A link is not followed, and a pipe does not block. */
function openEntry(path: string, check: (stat: Stats) => void = () => undefined): OpenedFile {
  const descriptor = openSync(path, READ | (constants.O_NOFOLLOW ?? 0));
  let isOpened = false;
  try {
    const stat = fstatSync(descriptor);
    refuseOther(stat, "file");
    check(stat);
    isOpened = true;
    return { descriptor, stat };
  } finally {
    if (!isOpened) closeSync(descriptor);
  }
}

/** Calls `use` with a path to the folder that stays valid if the folder is moved or swapped; "" is the root. Throws as `openFileInside`. */
export function inFolder<T>(root: string, folder: string, use: (path: string) => T): T {
  const handle = openFolder(root, folder);
  if (handle === null) return inCheckedFolder(root, folder, use);
  try {
    return use(`/proc/self/fd/${handle.descriptor}`);
  } finally {
    closeSync(handle.descriptor);
  }
}

function openFolder(root: string, folder: string): { readonly descriptor: number } | null {
  try {
    // With this flag only a folder is opened.
    return openHandle(root, folder, () => null, constants.O_DIRECTORY);
  } catch (error) {
    refuseOther(lstatSync(join(root, folder)), "folder");
    throw error;
  }
}

type Kind = "file" | "folder";

/** Only Linux has this folder. */
let tellsPlaces: boolean | null = null;

/** A handle whose path was verified, and what `check` says of it; null where the system does not tell the path of a handle. */
function openHandle<T>(
  root: string,
  path: string,
  check: (descriptor: number) => T,
  flags = 0,
): { readonly descriptor: number; readonly checked: T } | null {
  tellsPlaces ??= existsSync("/proc/self/fd");
  if (!tellsPlaces) return null;
  const full = join(root, path);
  const descriptor = openSync(full, O_PATH | constants.O_NOFOLLOW | flags);
  let isOpened = false;
  try {
    const checked = check(descriptor);
    const place = placeOf(descriptor);
    if (place === null) return null;
    refuseElsewhere(root, full, place);
    isOpened = true;
    return { descriptor, checked };
  } finally {
    if (!isOpened) closeSync(descriptor);
  }
}

/** The path of what is opened; null without `/proc`. */
function placeOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

function refuseElsewhere(root: string, full: string, place: string): void {
  // Some file systems find a name in another case or normal form.
  if (place === full || (place.startsWith(root) && sameLetters(place) === sameLetters(full))) return;
  const isInside = place.startsWith(root.endsWith(sep) ? root : root + sep);
  throw new Error(isInside ? "it was moved, or a symbolic link leads to it" : "lies outside the repository");
}

const sameLetters = (path: string): string => path.normalize("NFC").toLowerCase();

/** How often the path is compared with what was opened, without `/proc`. */
const LOOKS = 4;

/** `openFileInside` by the path alone. Exported for tests. */
export function openChecked(root: string, path: string): OpenedFile {
  const before = partsOf(root, path, "file");
  return openEntry(join(root, path), (stat) => {
    for (let look = 0; look < LOOKS; look++)
      refuseReplaced([...before.slice(0, -1), idOf(stat)], partsOf(root, path, "file"));
  });
}

/** `inFolder` by the path alone. Exported for tests. */
export function inCheckedFolder<T>(root: string, folder: string, use: (path: string) => T): T {
  const before = partsOf(root, folder, "folder");
  const result = use(join(root, folder));
  for (let look = 0; look < LOOKS; look++) refuseReplaced(before, partsOf(root, folder, "folder"));
  return result;
}

/** The ids of the folders on the way and of the last part; all are real folders, or the right kind. */
function partsOf(root: string, path: string, kind: Kind): readonly string[] {
  const names = path.split("/");
  return names.map((_, at) => {
    const stat = lstatSync(join(root, ...names.slice(0, at + 1)));
    if (at === names.length - 1) refuseOther(stat, kind);
    else if (!stat.isDirectory()) throw new Error("lies outside the repository");
    return idOf(stat);
  });
}

function refuseReplaced(before: readonly string[], now: readonly string[]): void {
  if (now.some((id, at) => id !== before[at])) throw new Error("it was replaced while it was opened");
}

function refuseOther(stat: Stats, kind: Kind): void {
  if (kind === "file" && !stat.isFile()) throw new Error("not a regular file");
  if (kind === "folder" && !stat.isDirectory()) throw new Error("not a folder");
}

/** What tells two files apart: device and inode. */
export const idOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;
