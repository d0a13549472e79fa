/**
 * Where the program begins: a command that gives one answer is started again with the engine tuned for it, and then the
 * process (`main-process.ts`) is loaded.
 *
 * Hardly anything is imported here: a process that becomes another one at once has paid for all that it loaded.
 */

import { isCompiled } from "./version.ts";

/** Commands that give one answer and end. */
const ONE_ANSWER: ReadonlySet<string> = new Set(["retrieve", "refine"]);
/**
 * What the JavaScript engine is told for such a command, in the environment, from which it reads its options when it
 * starts. What its last tier compiles, at a fifth of the processor time of such a run, is ready when the answer is. To
 * collect garbage before there are 64 MiB takes 30 ms more, of a process that ends soon. Its allocator (mimalloc) asks Linux
 * for pages of 2 MiB at 2: of small ones a run touches 44,000 for the first time, which takes 50 ms (of large ones 2,700,
 * and 50 MB more memory).
 */
const ENGINE = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_largeHeapSize: String(64 * 1024 * 1024),
  MIMALLOC_ALLOW_THP: "2",
} as const;

// Before anything is read or printed, as another program may take this one's place here.
withEngineTuned();
void import("./main-process.ts");

/** Starts a command that gives one answer again, in this process, with the engine told so (about 5 ms). */
function withEngineTuned(): void {
  const names = Object.keys(ENGINE);
  const isTuned = names.every((name) => process.env[name] !== undefined);
  // What cra starts is another matter.
  for (const name of names) delete process.env[name];
  const [command = ""] = process.argv.slice(2);
  // Windows has no such call.
  if (isTuned || !isCompiled() || !ONE_ANSWER.has(command) || process.execve === undefined) return;
  try {
    const words = [process.execPath, ...process.argv.slice(2)];
    process.execve(process.execPath, words, { ...process.env, ...ENGINE });
  } catch {
    // It only takes longer: the binary was replaced meanwhile, or nothing may be started here.
  }
}
