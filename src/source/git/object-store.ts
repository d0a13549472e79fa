/**
 * Reads git objects without git: loose ones and those in packs, with SHA-1.
 *
 * SHA-256 repositories, reftable refs and objects in another repository (alternates) need git, and the problem says so.
 */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { nextTurn } from "../../concurrency/next-turn.ts";
import { errorText, readGivenFile } from "../files/read-file.ts";
import { type ConfigEntry, isOn, lastValue, readGitConfig } from "./config.ts";
import { type FoundFolders, namesIn } from "./folders.ts";
import { OBJECTS_LACKING } from "./git-state.ts";
import { inflated, OBJECT_BYTES_MAX, tooLarge } from "./inflate.ts";
import { type Commit, parseCommit } from "./objects.ts";
import { type GitObject, type ObjectType, openPack, type Pack } from "./pack.ts";

export type ObjectStore = {
  readonly folders: FoundFolders;
  /** Null when there is none. Throws for one that is damaged or too large. */
  find(oid: string): GitObject | null;
  /** The hashes with this prefix, possibly not all of them if there are several. */
  withPrefix(prefix: string): ReadonlySet<string>;
  close(): void;
};

/** `objects/pack` of the largest public repositories holds some hundred. */
const PACKS_MAX = 10_000;
/** Indexes are held in memory: 30 bytes an object. */
const INDEX_BYTES_MAX = 512 * 1024 * 1024;
const INDEXES_BYTES_MAX = 1024 * 1024 * 1024;
/** The type and the size before the content of a loose object. */
const LOOSE_HEADER_BYTES_MAX = 32;

/** Opens the objects of a repository. The caller closes it. */
export function openObjectStore(folders: FoundFolders): ObjectStore {
  const objects = join(folders.commonFolder, "objects");
  let opened: readonly Pack[] | null = null;
  const packs = (): readonly Pack[] => {
    opened ??= openPacks(join(objects, "pack"));
    return opened;
  };
  return {
    folders,
    find(oid) {
      const loose = looseObject(objects, oid);
      if (loose !== null) return loose;
      for (const pack of packs()) {
        const found = pack.read(oid);
        if (found !== null) return found;
      }
      return null;
    },
    withPrefix(prefix) {
      const loose = namesIn(join(objects, prefix.slice(0, 2))).map((name) => prefix.slice(0, 2) + name);
      const all = [...loose.filter(isHash), ...packs().flatMap((pack) => pack.withPrefix(prefix))];
      return new Set(all.filter((hash) => hash.startsWith(prefix)));
    },
    close() {
      for (const pack of opened ?? []) pack.close();
    },
  };
}

const isHash = (name: string): boolean => /^[0-9a-f]{40}$/.test(name);

function openPacks(folder: string): readonly Pack[] {
  const names = namesIn(folder).filter((name) => name.endsWith(".idx"));
  if (names.length > PACKS_MAX) throw new Error(`only git can read more than ${PACKS_MAX} packs`);
  let bytes = 0;
  return names.toSorted().map((name) => {
    const index = readGivenFile(join(folder, name), INDEX_BYTES_MAX);
    if (index.kind === "problem") throw new Error(`the index of a pack cannot be read: ${index.why}`);
    bytes += index.bytes.length;
    if (bytes > INDEXES_BYTES_MAX) throw new Error("only git can read so many objects");
    const { buffer, byteOffset, byteLength } = index.bytes;
    return openPack(Buffer.from(buffer, byteOffset, byteLength), join(folder, name.replace(/idx$/, "pack")));
  });
}

/** An object in a file of its own; null when there is none. Its content must have its hash. */
function looseObject(objects: string, oid: string): GitObject | null {
  const path = join(objects, oid.slice(0, 2), oid.slice(2));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.size > OBJECT_BYTES_MAX) throw tooLarge();
  const file = readGivenFile(path, OBJECT_BYTES_MAX);
  if (file.kind === "problem") throw new Error(`object ${oid} cannot be read: ${file.why}`);
  const bytes = inflated(file.bytes, OBJECT_BYTES_MAX + LOOSE_HEADER_BYTES_MAX);
  const [, type, size] = /^(commit|tree|blob|tag) (\d{1,10})$/.exec(headerOf(bytes)) ?? [];
  const content = bytes.subarray(headerOf(bytes).length + 1);
  const isWhole = Number(size) === content.length && createHash("sha1").update(bytes).digest("hex") === oid;
  if (type === undefined || !isType(type) || !isWhole) throw new Error(`object ${oid} is damaged`);
  return { type, content };
}

const headerOf = (bytes: Buffer): string => bytes.toString("latin1", 0, Math.max(0, bytes.indexOf(0)));
const isType = (type: string): type is ObjectType => ["commit", "tree", "blob", "tag"].includes(type);

/** Reads between two turns of the event loop, some milliseconds. */
const READS_PER_TURN = 200;
let reads = 0;

/** Reads an object, and lets a signal be heard now and then. */
async function read(store: ObjectStore, oid: string): Promise<GitObject> {
  if (++reads % READS_PER_TURN === 0) await nextTurn();
  const found = store.find(oid);
  if (found === null) throw new Error(`object ${oid} is missing`, { cause: MISSING });
  return found;
}

const MISSING = Symbol("missing");
export const isMissingObject = (error: unknown): boolean => error instanceof Error && error.cause === MISSING;

/** The content of an object. Throws when it is missing or has another type. */
export async function readObject(store: ObjectStore, oid: string, type: ObjectType): Promise<Uint8Array> {
  const found = await read(store, oid);
  if (found.type !== type) throw new Error(`object ${oid} is not a ${type}`);
  return found.content;
}

/** A commit. Throws when it is missing, has another type or is malformed. */
export async function readCommit(store: ObjectStore, hash: string): Promise<Commit> {
  const commit = parseCommit(hash, await readObject(store, hash, "commit"));
  if (commit === null) throw new Error(`object ${hash} is not a commit`);
  return commit;
}

/** Why objects could not be read, in a few words. */
export function readProblem({ folders }: Pick<ObjectStore, "folders">, error: unknown): string {
  const isMissing = isMissingObject(error);
  if (isMissing && existsSync(join(folders.commonFolder, "objects/info/alternates")))
    return "only git can read its objects (some are in another repository)";
  if (isMissing && isPartial(readGitConfig(join(folders.commonFolder, "config")))) return OBJECTS_LACKING;
  return isMissing ? "some of its objects are missing" : `the built-in git reader failed: ${errorText(error)}`;
}

const isPartial = (config: readonly ConfigEntry[]): boolean =>
  lastValue(config, "extensions.partialclone") !== undefined ||
  config.some(({ key, value }) => /^remote\..+\.promisor$/s.test(key) && isOn(value));

const TAGS_MAX = 5;

/** The commit that a hash or a tag object refers to; null for anything else. Throws when it is missing. */
export async function peelToCommit(store: ObjectStore, hash: string): Promise<string | null> {
  let oid = hash;
  for (let depth = 0; depth < TAGS_MAX; depth += 1) {
    const { type, content } = await read(store, oid);
    if (type === "commit") return oid;
    if (type !== "tag") return null;
    const target = /^object ([0-9a-f]{40})\n/.exec(Buffer.from(content).toString("latin1", 0, 60))?.[1];
    if (target === undefined) return null;
    oid = target;
  }
  return null;
}

/** The only hash with this prefix; null for none or several. */
export function expandHash(store: ObjectStore, beginning: string): string | null {
  const found = [...store.withPrefix(beginning)];
  return found.length === 1 ? (found[0] ?? null) : null;
}
