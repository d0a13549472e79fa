/** The Scoop manifest, for a bucket of one's own. Scoop has no place for manual pages and completions: they lie in the folder. */
import { type Identity, LICENCE, SUMMARY } from "../identity.ts";
import { json } from "../packages/npm.ts";
import type { Manifest, Published } from "./published.ts";

/** `archive` is the `.zip` for Windows. */
export function scoop(identity: Identity, archive: Published): Manifest {
  return {
    path: "scoop/cra.json",
    text: json({
      version: identity.version,
      description: SUMMARY,
      homepage: identity.url,
      license: LICENCE,
      architecture: {
        "64bit": { url: archive.url, hash: archive.sha256, extract_dir: archive.name.replace(/\.zip$/, "") },
      },
      bin: "cra.exe",
    }),
  };
}
