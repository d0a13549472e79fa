/**
 * Makes the npm packages: one for each target with its program, and a small one that depends on all of them optionally.
 *
 * npm installs only the package whose `os`, `cpu` and `libc` fit the machine. No package has an install script.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Archive } from "../archives.ts";
import { AUTHOR, type Identity, LICENCE, namespaceOf, SUMMARY } from "../identity.ts";
import { type Packed, tar } from "../tar.ts";
import { isMusl, programOf, type Target } from "../targets.ts";

const LAUNCHER = join(import.meta.dir, "launcher.cjs");
/** The oldest Node that the launcher is tried with. */
const NODE = ">=20";

/** The name of the package that users install, and with a target that of its package. */
export function npmName({ scope }: Identity, target?: Target): string {
  const name = target === undefined ? "cra" : `cra-${target.name}`;
  return scope === null ? name : `${scope}/${name}`;
}

/** The package of a target. */
export function npmProgram(
  target: Target,
  identity: Identity,
  program: Uint8Array,
  papers: readonly Packed[],
): Archive {
  const manifest = {
    ...facts(identity, target),
    os: [target.system],
    cpu: [target.processor],
    ...(target.system === "linux" ? { libc: [isMusl(target) ? "musl" : "glibc"] } : {}),
    preferUnplugged: true,
  };
  return packed(identity, target, manifest, [
    { path: `bin/${programOf(target)}`, content: program, runs: true },
    ...papers.filter(({ path }) => ["LICENSE", "THIRD-PARTY-LICENSES.txt"].includes(path)),
  ]);
}

/** The package that users install. `targets` are those of this release. */
export function npmLauncher(targets: readonly Target[], identity: Identity, papers: readonly Packed[]): Archive {
  const manifest = {
    ...facts(identity),
    mcpName: `${namespaceOf(identity)}/cra`,
    bin: { cra: "cra.cjs" },
    man: ["./cra.1"],
    optionalDependencies: Object.fromEntries(
      targets.map((target) => [npmName(identity, target), identity.version] as const),
    ),
  };
  return packed(identity, undefined, manifest, [
    { path: "cra.cjs", content: readFileSync(LAUNCHER), runs: true },
    ...papers.filter(({ path }) => /^(?:LICENSE|README\.md|cra\.1|completions\/.*)$/.test(path)),
  ]);
}

function facts(identity: Identity, target?: Target): Readonly<Record<string, unknown>> {
  return {
    name: npmName(identity, target),
    version: identity.version,
    description: target === undefined ? SUMMARY : `The program of ${npmName(identity)} for ${target.name}.`,
    license: LICENCE,
    author: AUTHOR,
    homepage: identity.url,
    engines: { node: NODE },
  };
}

/** Named and laid out as `npm pack` does it. */
function packed(
  identity: Identity,
  target: Target | undefined,
  manifest: Readonly<Record<string, unknown>>,
  files: readonly Packed[],
): Archive {
  const described = { path: "package.json", content: Buffer.from(json(manifest)), runs: false };
  const archive = tar([described, ...files].map((file) => ({ ...file, path: `package/${file.path}` })));
  const name = npmName(identity, target).replace("@", "").replace("/", "-");
  return {
    name: `${name}-${identity.version}.tgz`,
    bytes: Bun.gzipSync(Buffer.from(archive), { library: "libdeflate", level: 9 }),
  };
}

/** JSON as all manifests of a release have it. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
