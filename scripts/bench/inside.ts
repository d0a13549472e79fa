/** Reads the duration of the newest run from the log, from its start to its result, without process start. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";

/** Milliseconds; infinite for a run without a result. `data` is a data folder, or one above it. */
export function insideMs(data: string): number {
  const path = readdirSync(data, { recursive: true }).find((name) => String(name).endsWith("raw.sqlite"));
  if (path === undefined) throw new Error(`no log in ${data}`);
  const log = openRawLog(join(data, String(path)));
  try {
    return log.latestRun()?.result?.ms ?? Number.POSITIVE_INFINITY;
  } finally {
    log.close();
  }
}
