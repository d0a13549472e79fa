/**
 * Where the program begins: for commands that end soon it restarts itself with a tuned engine, then it loads
 * `main-process.ts`.
 *
 * It imports hardly anything, since a process that is about to be replaced should load nothing.
 */
import { wasOpen } from "./main-streams.ts";
import { isCompiled } from "./version.ts";

/*
 * Options of the JavaScript engine (JavaScriptCore) and its allocator, which read them from the environment when they start.
 * docs/decisions/process-restart.md has the measurements.
 */

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

/** Null for a command that runs with the engine as it is. */
function engineFor([command = "", ...words]: readonly string[]): Engine | null {
  const listBytes = (): number => Bun.file(".git/index").size;
  if (command === "retrieve" || command === "refine") {
    if (listBytes() >= SMALL_LIST_BYTES) return FOR_ONE_LARGE_ANSWER;
    return Bun.file(".cra/curated.sqlite").size > 0 ? FOR_ONE_QUESTION : FOR_ONE_ANSWER;
  }
  if (command !== "index") return null;
  if (words.includes("--from")) return FOR_STORED_INDEX;
  const bytes = listBytes();
  return bytes > 0 && bytes < SMALL_LIST_BYTES ? FOR_SMALL_INDEX : FOR_LARGE_INDEX;
}

// First of all, since it may replace this process.
restartTuned();
void import("./main-process.ts");

/** Replaces the process with one whose engine is tuned, which takes about 5 ms. */
function restartTuned(): void {
  const words = process.argv.slice(2);
  const engine = engineFor(words);
  const isTuned = engine === null || Object.keys(engine).every((name) => process.env[name] !== undefined);
  // Programs that cra starts must not inherit them.
  const all = { ...FOR_ONE_LARGE_ANSWER, ...FOR_SMALL_INDEX, ...FOR_LARGE_INDEX, ...FOR_STORED_INDEX };
  for (const name of Object.keys(all)) delete process.env[name];
  // Windows has no execve: there the function only warns and fails.
  if (process.platform === "win32" || process.execve === undefined) return;
  if (isTuned || !isCompiled()) return;
  // The program after this one would take /dev/null for an open standard output, and what it prints would be lost.
  if (!wasOpen(1)) return;
  try {
    process.execve(process.execPath, [process.execPath, ...words], { ...process.env, ...engine });
  } catch {
    // The binary was replaced, or nothing may be started here: the run only takes longer.
  }
}
