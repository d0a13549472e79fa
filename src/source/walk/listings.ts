/**
 * The names in folders, kept from one walk to the next with the stat key of each folder: a folder with the same key has the same names.
 *
 * Adding, removing or renaming an entry changes the times of a folder, which no program can set back (ctime). So a folder that has
 * not changed is not listed again: one system call instead of five. What is known of a folder was read from it after its place was proven, and
 * says nothing of the files in it.
 */
import { type Stats, statfsSync } from "node:fs";

/** Sorted names, and those of them that are certain to be folders. */
export type FolderNames = { readonly names: readonly string[]; readonly folderNames: ReadonlySet<string> };

/** What is known of folders by path. */
export type Listings = {
  /** The names in a folder with this stat; null if they are not known. */
  known(folder: string, stat: Stats): FolderNames | null;
  /** Called with each folder of a walk that was listed, and the stat that it had before. */
  listed(folder: string, stat: Stats, names: FolderNames): void;
  /** What is known after a walk that began at this time (milliseconds since 1970); null if it is not worth storing. */
  packed(walkedAt: number): Uint8Array<ArrayBuffer> | null;
};

/** A folder changed this shortly before is listed again next time: its times may be too coarse to show another change. */
const FRESH_MS = 2_000;
/** Fewer folders are rather listed again each time than all stored again. */
const LISTED_MIN = 100;

/** A folder as it was when it had these names, which have a NUL between and a slash behind those of folders. */
type Folder = Readonly<Pick<Stats, "dev" | "ino" | "mtimeMs" | "ctimeMs">> & { readonly names: string };

/**
 * The file systems of Linux that change the times of a folder with its entries: ext, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS. Others, such as
 * those of a network, may tell late.
 */
const TELLING: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
]);

/** Whether what is listed in a folder can be kept. */
export function tellsChanges(root: string): boolean {
  try {
    return TELLING.has(statfsSync(root).type >>> 0);
  } catch {
    return false;
  }
}

/** What an earlier walk left, in the form of `packed`. Nothing is known from other bytes. */
export function listings(stored: Uint8Array | null): Listings {
  const before = stored === null ? null : unpacked(stored);
  const found = new Map<string, Folder>();
  const listed: Folder[] = [];
  let device: number | null = null;
  return {
    known(folder, stat) {
      device ??= stat.dev;
      const known = before?.get(folder);
      if (known === undefined || !isSame(known, stat)) return null;
      found.set(folder, known);
      return namesOf(known.names);
    },
    listed(folder, stat, { names, folderNames }) {
      // Another device may be of another kind.
      device ??= stat.dev;
      if (stat.dev !== device) return;
      const written = names.map((name) => (folderNames.has(name) ? `${name}/` : name));
      const { dev, ino, mtimeMs, ctimeMs } = stat;
      const own = { dev, ino, mtimeMs, ctimeMs, names: written.join("\0") };
      found.set(folder, own);
      listed.push(own);
    },
    packed(walkedAt) {
      const isSettled = ({ mtimeMs, ctimeMs }: Folder): boolean => Math.max(mtimeMs, ctimeMs) < walkedAt - FRESH_MS;
      if (listed.filter(isSettled).length < LISTED_MIN) return null;
      return pack([...found].filter(([, folder]) => isSettled(folder)));
    },
  };
}

const isSame = (folder: Folder, { dev, ino, mtimeMs, ctimeMs }: Stats): boolean =>
  folder.dev === dev && folder.ino === ino && folder.mtimeMs === mtimeMs && folder.ctimeMs === ctimeMs;

function namesOf(written: string): FolderNames {
  const names = written === "" ? [] : written.split("\0");
  const folderNames = new Set<string>();
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? "";
    if (!name.endsWith("/")) continue;
    names[at] = name.slice(0, -1);
    folderNames.add(name.slice(0, -1));
  }
  return { names, folderNames };
}

/** What precedes each folder. No name begins with a slash. */
const FOLDER = "\0/";
const NUMBERS = 4;

/** The number of folders, four numbers of each, and then its path and names as UTF-8 with a NUL between. */
function pack(folders: readonly (readonly [path: string, Folder])[]): Uint8Array<ArrayBuffer> {
  const written = folders.map(([path, { names }]) => (names === "" ? FOLDER + path : `${FOLDER}${path}\0${names}`));
  const text = Buffer.from(written.join(""));
  const numbers = new Float64Array(1 + NUMBERS * folders.length);
  numbers[0] = folders.length;
  for (const [at, [, { dev, ino, mtimeMs, ctimeMs }]] of folders.entries())
    numbers.set([dev, ino, mtimeMs, ctimeMs], 1 + NUMBERS * at);
  const bytes = new Uint8Array(numbers.byteLength + text.length);
  bytes.set(new Uint8Array(numbers.buffer));
  bytes.set(text, numbers.byteLength);
  return bytes;
}

function unpacked(stored: Uint8Array): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 3);
  const count = numbers[0] ?? 0;
  if (!(NUMBERS * count < numbers.length)) return folders;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "utf8",
    8 * (1 + NUMBERS * count),
  );
  const written = text.split(FOLDER);
  for (let at = 0; at < count; at += 1) {
    const entry = written[1 + at] ?? "";
    const end = entry.indexOf("\0");
    const number = 1 + NUMBERS * at;
    folders.set(end < 0 ? entry : entry.slice(0, end), {
      dev: numbers[number] ?? 0,
      ino: numbers[number + 1] ?? 0,
      mtimeMs: numbers[number + 2] ?? 0,
      ctimeMs: numbers[number + 3] ?? 0,
      names: end < 0 ? "" : entry.slice(end + 1),
    });
  }
  return folders;
}
