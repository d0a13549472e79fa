/** The text of `cra --version`, with `-v` also the versions of the parts that results depend on. */
import { VERSION } from "../../version.ts";

/** Ends in a newline. The parts are loaded only with `verbose`. */
export async function versionText(verbose: boolean): Promise<string> {
  const first = `cra ${VERSION.version} (${buildOf(VERSION)})\n`;
  if (!verbose) return first;
  const { partVersions } = await import("../../app/indexing/status.ts");
  const parts = partVersions();
  return (
    first + [["commit", VERSION.commit ?? "not known"], ...parts].map(([name, value]) => `${name} ${value}\n`).join("")
  );
}

const HASH_CHARS = 12;

/** "3fb5d05c1a2e" for a release, else "development build of 3fb5d05c1a2e-dirty". */
export function buildOf({ commit, released }: Pick<typeof VERSION, "commit" | "released">): string {
  const short = commit?.replace(/^([0-9a-f]+)/, (hash) => hash.slice(0, HASH_CHARS));
  if (released) return short ?? "commit not known";
  return short === undefined ? "development build" : `development build of ${short}`;
}
