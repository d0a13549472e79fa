/** Makes a folder that the user named, with all folders on its way. */
import { mkdirSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";

/** Readable by this user only. It may be there already. `next` says how to name another one. Throws `io` where it cannot be made. */
export function makeFolder(path: string, next: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Failed({ code: "io", message: systemErrorWords(error), where: path, next }, { cause: error });
  }
}
