/**
 * Where the program begins: for commands that give one answer it restarts itself with a tuned engine, then it loads
 * `main-process.ts`.
 *
 * It imports hardly anything, since a process that is about to be replaced should load nothing.
 */
import { isCompiled } from "./version.ts";

/** Commands that give one answer and end. */
const ONE_ANSWER: ReadonlySet<string> = new Set(["retrieve", "refine"]);
/**
 * Options of the JavaScript engine, which it reads from the environment when it starts. Without its last compiler tier (FTL)
 * a run saves a fifth of its processor time: that code would be ready only after the answer. No garbage collection below
 * 64 MiB saves 30 ms. Without transparent huge pages (0) the system has less memory to clear and to move together: a question to
 * 32,247 files takes 1.7 instead of 2.0 s of processor time where memory is in use. Memory that is freed is not given back (-1),
 * or it would be taken again: that saves a first answer .3 s. Without the last compiler tier of WebAssembly (OMG) it saves .3 s.
 */
const ENGINE = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_useOMGJIT: "0",
  BUN_JSC_largeHeapSize: String(64 * 1024 * 1024),
  MIMALLOC_ALLOW_THP: "0",
  MIMALLOC_PURGE_DELAY: "-1",
} as const;

// First of all, since it may replace this process.
restartTuned();
void import("./main-process.ts");

/** Replaces the process with one whose engine is tuned, which takes about 5 ms. */
function restartTuned(): void {
  const names = Object.keys(ENGINE);
  const isTuned = names.every((name) => process.env[name] !== undefined);
  // Programs that cra starts must not inherit them.
  for (const name of names) delete process.env[name];
  const [command = ""] = process.argv.slice(2);
  // Windows has no execve: there the function only warns and fails.
  if (process.platform === "win32" || process.execve === undefined) return;
  if (isTuned || !isCompiled() || !ONE_ANSWER.has(command)) return;
  try {
    const words = [process.execPath, ...process.argv.slice(2)];
    process.execve(process.execPath, words, { ...process.env, ...ENGINE });
  } catch {
    // The binary was replaced, or nothing may be started here: the run only takes longer.
  }
}
