/** Makes an MCP bundle: a zip of the program and a manifest, which desktop applications install with one click. */
import type { Archive } from "../archives.ts";
import { AUTHOR, type Identity, LICENCE, SUMMARY } from "../identity.ts";
import type { Packed } from "../tar.ts";
import { isMusl, programOf, type Target } from "../targets.ts";
import { zip } from "../zip.ts";
import { json } from "./npm.ts";

/** Desktop applications run on glibc. */
export const hasBundle = (target: Target): boolean => !isMusl(target);

export const mcpbName = (target: Target, { version }: Identity): string => `cra-${version}-${target.name}.mcpb`;

export function mcpb(target: Target, identity: Identity, program: Uint8Array, papers: readonly Packed[]): Archive {
  const path = `server/${programOf(target)}`;
  const manifest = {
    manifest_version: "0.4",
    name: "cra",
    display_name: "cra",
    version: identity.version,
    description: SUMMARY,
    author: { name: AUTHOR },
    homepage: identity.url,
    server: {
      type: "binary",
      entry_point: path,
      mcp_config: {
        command: `\${__dirname}/${path}`,
        args: ["mcp", "--repo", `\${user_config.repository}`],
      },
    },
    compatibility: { platforms: [target.system] },
    user_config: {
      repository: {
        type: "directory",
        title: "Repository",
        description: "The folder of the repository that questions are about.",
        required: true,
      },
    },
    tools_generated: true,
    license: LICENCE,
  };
  const files: readonly Packed[] = [
    { path: "manifest.json", content: Buffer.from(json(manifest)), runs: false },
    { path, content: program, runs: true },
    ...papers.filter((one) => ["LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt"].includes(one.path)),
  ];
  return { name: mcpbName(target, identity), bytes: zip(files, 9) };
}
