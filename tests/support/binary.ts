/** The compiled binary for tests, built on first use if it is missing or out of date. */

import { freshBinary } from "../../scripts/binary.ts";

let built: Promise<string> | undefined;

/** The path of an up-to-date `dist/cra`, checked once per test process. */
export function binary(): Promise<string> {
  built ??= freshBinary();
  return built;
}
