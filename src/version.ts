/**
 * Which cra this is.
 *
 * The version is the one of package.json; the commit is put in by the build (`scripts/build.ts`) and is
 * null when running from source, or when the build was not made from a git checkout.
 */

import { version } from "../package.json";

/** Replaced by the build with a string or null; not defined when running from source. */
declare const CRA_COMMIT: string | null | undefined;

/** Replaced by the build; true only in what is given to others as a release. */
declare const CRA_RELEASED: boolean | undefined;

type Version = { readonly version: string; readonly commit: string | null; readonly released: boolean };

/** `version` is semantic, like `0.1.0`; `commit` is the full hash, ending in `-dirty` when files differed from it. */
export const VERSION: Version = {
  version,
  commit: typeof CRA_COMMIT === "string" ? CRA_COMMIT : null,
  released: typeof CRA_RELEASED === "boolean" && CRA_RELEASED,
};

/** Whether the program is one binary, whose modules are in a file system of its own. */
export function isCompiled(): boolean {
  return /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main);
}
