/** `server.json` of the MCP registry: how a client installs and starts the server. */
import { type Identity, namespaceOf, SUMMARY } from "../identity.ts";
import { mcpbName } from "../packages/mcpb.ts";
import { json, npmName } from "../packages/npm.ts";
import { TARGETS } from "../targets.ts";
import type { Manifest, Published } from "./published.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** `bundles` are the MCP bundles of the release by name. */
export function mcpRegistry(identity: Identity, bundles: ReadonlyMap<string, Published>): Manifest {
  const { version } = identity;
  const transport = { type: "stdio" };
  const found = TARGETS.flatMap((target) => bundles.get(mcpbName(target, identity)) ?? []);
  return {
    path: "mcp/server.json",
    text: json({
      $schema: SCHEMA,
      name: `${namespaceOf(identity)}/cra`,
      title: "cra",
      description: SUMMARY,
      version,
      websiteUrl: identity.url,
      packages: [
        {
          registryType: "npm",
          identifier: npmName(identity),
          version,
          transport,
          packageArguments: [{ type: "positional", value: "mcp" }],
        },
        ...found.map(({ url, sha256 }) => ({
          registryType: "mcpb",
          identifier: url,
          version,
          fileSha256: sha256,
          transport,
        })),
      ],
    }),
  };
}
