/**
 * Where the program begins: for commands that end soon it restarts itself with a tuned engine, then it loads
 * `main-process.ts`.
 *
 * It imports hardly anything, since a process that is about to be replaced should load nothing.
 */
import { ENGINE_OPTIONS, engineFor } from "./main-engine.ts";
import { wasOpen } from "./main-streams.ts";
import { isCompiled } from "./version.ts";

// First of all, since it may replace this process.
restartTuned();
void import("./main-process.ts");

/** Replaces the process with one whose engine is tuned, which takes about 5 ms. */
function restartTuned(): void {
  const words = process.argv.slice(2);
  const engine = engineFor(words, process.env.CRA_DATA_DIR);
  const isTuned = engine === null || Object.keys(engine).every((name) => process.env[name] !== undefined);
  // Programs that cra starts must not inherit them.
  for (const name of ENGINE_OPTIONS) delete process.env[name];
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
