/** Which cra this is: the version of package.json and the commit that `scripts/build.ts` puts in. */

import { version } from "../package.json";

/** Replaced by the build with a string or null; undefined when running from source. */
declare const CRA_COMMIT: string | null | undefined;

/** Replaced by the build; true only in a release. */
declare const CRA_RELEASED: boolean | undefined;

type Version = { readonly version: string; readonly commit: string | null; readonly released: boolean };

/** `commit` is the full hash, ending in `-dirty` when files differed from it; null when it is unknown. */
export const VERSION: Version = {
  version,
  commit: typeof CRA_COMMIT === "string" ? CRA_COMMIT : null,
  released: typeof CRA_RELEASED === "boolean" && CRA_RELEASED,
};

/** Whether this is the compiled binary, whose modules are in a file system of its own. */
export function isCompiled(): boolean {
  return /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main);
}
