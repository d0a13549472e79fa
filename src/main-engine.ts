/**
 * The options of the JavaScript engine (JavaScriptCore) and its allocator by which a command runs best. Both read them from the environment
 * when they start. docs/decisions/process-restart.md has the measurements.
 *
 * Imported before the process restarts, so it imports little.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** For a command that gives one answer: most of its code runs once. */
const FOR_ONE_ANSWER = {
  // Without the last compiler tier: its code would be ready only after the answer. Saves a fifth of the processor time.
  BUN_JSC_useFTLJIT: "0",
  // The same for WebAssembly: saves .3 s of a first answer.
  BUN_JSC_useOMGJIT: "0",
  // The tier before (DFG) after ten times its own count: saves a twentieth of a first answer.
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "10000",
  // No garbage collection before 96 MiB are allocated, nor by the timer that goes off after 200 ms: both save 60 ms of a question to
  // 6,000 files. More than 96 MiB costs time for new memory.
  BUN_JSC_largeHeapSize: String(96 * 1024 * 1024),
  BUN_JSC_collectionTimerMaxPercentCPU: "0.0001",
  // Threads have small heaps: one thread collects their garbage, and none clears memory ahead. Saves a fifth of the page faults.
  BUN_JSC_numberOfGCMarkers: "1",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
  // No counters for the tier that is off.
  BUN_JSC_useBBQTierUpChecks: "0",
  // Small pages of memory: large ones cost seconds on a virtual machine whose host has taken the memory back.
  MIMALLOC_ALLOW_THP: "0",
  // Freed memory is given back after a second; sooner, it would have to be taken again.
  MIMALLOC_PURGE_DELAY: "1000",
};
/** A question to an index of up to some 20,000 files allocates little more than before its first collection, which would take a twentieth of it. */
const FOR_ONE_QUESTION = { ...FOR_ONE_ANSWER, BUN_JSC_largeHeapSize: String(144 * 1024 * 1024) };
/**
 * A first answer in a large repository counts words for ten seconds or more. FTL after 30 times its own counts saves a tenth of its
 * processor time, and costs an answer from an index nothing.
 */
const FOR_ONE_LARGE_ANSWER = {
  ...FOR_ONE_ANSWER,
  BUN_JSC_useFTLJIT: "1",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "3000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "30000",
};
/** An index parses long enough for WebAssembly's last tier to pay. */
const FOR_INDEX = {
  // FTL after 150 times its own counts: a first index of 3,760 files compiles ten functions instead of 500, in a tenth less processor time.
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "10000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "1000000",
  // Heaps grow as if the machine had 1 GiB, so they are less than twice as large as what lives in them.
  BUN_JSC_forceRAMSize: String(1024 * 1024 * 1024),
  // No thread clears memory ahead: saves a sixth of the page faults.
  BUN_JSC_useWarmUpMarkedBlocks: "0",
};
/** A small index keeps free memory that lies between blocks in use: giving it back takes 3 to 5 % of its processor time. */
const FOR_SMALL_INDEX = { ...FOR_INDEX, MIMALLOC_PURGE_HOLES: "0" };
/** A large index takes a tenth less memory with these, in the same time. */
const FOR_LARGE_INDEX = {
  ...FOR_INDEX,
  // Garbage is collected when a heap is one and a half times what lives in it, not twice.
  BUN_JSC_smallHeapGrowthFactor: "1.5",
  // Above four fifths of this, the engine collects after every few megabytes.
  BUN_JSC_forceRAMSize: String(768 * 1024 * 1024),
};
/** In a list of this size git has some 20,000 files. */
const SMALL_LIST_BYTES = 2 * 1024 * 1024;
/**
 * What comes from a store is not parsed, so such a run is nearly as short as an answer: 2.2 s of processor time instead of 2.5 s for 3,760
 * files. A third of that comes from one thread that collects garbage instead of several.
 */
const FOR_STORED_INDEX = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_useOMGJIT: "0",
  BUN_JSC_largeHeapSize: String(64 * 1024 * 1024),
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "10000",
  MIMALLOC_PURGE_DELAY: "1000",
  BUN_JSC_numberOfGCMarkers: "1",
};

type Engine = Readonly<Record<string, string>>;

/** The names of all options. */
export const ENGINE_OPTIONS: readonly string[] = Object.keys({
  ...FOR_ONE_LARGE_ANSWER,
  ...FOR_SMALL_INDEX,
  ...FOR_LARGE_INDEX,
  ...FOR_STORED_INDEX,
});

/** The options for the words after the program's name; null for a command that runs with the engine as it is. */
export function engineFor(words: readonly string[], dataFolder: string | undefined): Engine | null {
  const [command, next = ""] = words.slice(commandAt(words));
  if (command !== "retrieve" && command !== "refine" && command !== "index") return null;
  if (command === "index" && words.includes("--from")) return FOR_STORED_INDEX;
  const root = rootAround(
    resolve(valueAfter("--repo", words) ?? (command === "index" && !next.startsWith("-") ? next : ".")),
  );
  const listBytes = root === null ? 0 : Bun.file(`${root.git}/index`).size;
  if (command === "index") return listBytes > 0 && listBytes < SMALL_LIST_BYTES ? FOR_SMALL_INDEX : FOR_LARGE_INDEX;
  if (listBytes >= SMALL_LIST_BYTES) return FOR_ONE_LARGE_ANSWER;
  const data = valueAfter("--data-dir", words) ?? dataFolder ?? `${root?.folder ?? "."}/.cra`;
  return Bun.file(`${data}/curated.sqlite`).size > 0 ? FOR_ONE_QUESTION : FOR_ONE_ANSWER;
}

/** The options of every command that take a value: they may stand before the command. */
const WITH_VALUE: readonly string[] = ["--repo", "--data-dir"];

function commandAt(words: readonly string[]): number {
  let at = 0;
  for (let word = words[at]; word?.startsWith("-") === true; word = words[at]) at += WITH_VALUE.includes(word) ? 2 : 1;
  return at;
}

function valueAfter(option: string, words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === option || word.startsWith(`${option}=`));
  const word = words[at];
  return word === option ? words[at + 1] : word?.slice(option.length + 1);
}

/** The work tree around a folder, and where git keeps its list of files; null outside of one. */
function rootAround(folder: string): { readonly folder: string; readonly git: string } | null {
  for (let at = folder; ; at = dirname(at)) {
    const git = gitFolderOf(`${at}/.git`);
    if (git !== null) return { folder: at, git: resolve(at, git) };
    if (at === dirname(at)) return null;
  }
}

/** `.git` is a folder, or in a further work tree a file that names one. Anything may be there, such as a pipe. */
function gitFolderOf(path: string): string | null {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return path;
    if (!stat.isFile() || stat.size > LINK_BYTES_MAX) return null;
    return /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The file has one path. */
const LINK_BYTES_MAX = 8 * 1024;
