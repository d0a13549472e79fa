/**
 * The compiled binary for tests: built on first use when it is missing or older than its sources.
 */

import { freshBinary } from "../../scripts/binary.ts";

let built: Promise<string> | undefined;

/** The path of an up-to-date `dist/cra`; asked for again in one test run it is not looked at again. */
export function binary(): Promise<string> {
  built ??= freshBinary();
  return built;
}
