/**
 * `cra --version`, and with `-v` the versions of the parts that results depend on.
 */
import { VERSION } from "../version.ts";

/** Ends in a newline. The parts are loaded only when they are asked for. */
export async function versionText(verbose: boolean): Promise<string> {
  const first = `cra ${VERSION.version}\n`;
  if (!verbose) return first;
  const { partVersions } = await import("../app.ts");
  const parts = await partVersions();
  return (
    first + [["commit", VERSION.commit ?? "not known"], ...parts].map(([name, value]) => `${name} ${value}\n`).join("")
  );
}
