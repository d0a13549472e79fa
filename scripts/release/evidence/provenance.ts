/**
 * States how the files of a release were made: an in-toto statement with SLSA's provenance.
 *
 * It claims what can be checked: the same commit, built again with the same packages, gives files with the same digests.
 */
import { basename } from "node:path";
import type { Identity } from "../identity.ts";
import { lockedPackages } from "../lock.ts";
import type { Manifest, Published } from "../manifests/published.ts";
import { json } from "../packages/npm.ts";
import type { Packed } from "../tar.ts";
import type { Target } from "../targets.ts";
import { sha256Of } from "./checksums.ts";

export type Made = {
  readonly targets: readonly Target[];
  readonly files: readonly Published[];
  /** Files of this machine that went into the images. */
  readonly libraries: readonly Packed[];
};

export function provenance(root: string, identity: Identity, { targets, files, libraries }: Made): Manifest {
  const { version, commit, url, scope, madeAt } = identity;
  const packages = lockedPackages(root).flatMap(({ name, version: its, integrity }) => {
    if (integrity === null || !integrity.startsWith("sha512-")) return [];
    const digest = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
    return [{ uri: `pkg:npm/${name.replace("@", "%40")}@${its}`, digest: { sha512: digest } }];
  });
  return {
    path: `cra-${version}.intoto.json`,
    text: json({
      _type: "https://in-toto.io/Statement/v1",
      subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicateType: "https://slsa.dev/provenance/v1",
      predicate: {
        buildDefinition: {
          buildType: `${url}/npm-run-release`,
          externalParameters: { version, url, scope, targets: targets.map(({ name }) => name) },
          resolvedDependencies: [
            ...(commit === null ? [] : [{ name: "source", uri: `git+${url}`, digest: { gitCommit: commit } }]),
            ...packages,
            ...libraries.map(({ path, content }) => ({
              name: basename(path),
              uri: `file:///${path}`,
              digest: { sha256: sha256Of(content) },
            })),
          ],
        },
        runDetails: {
          builder: { id: `${url}/local-machine`, version: { bun: Bun.version } },
          metadata: { startedOn: madeAt.toISOString() },
        },
      },
    }),
  };
}
