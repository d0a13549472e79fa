/** The MCP bundle: unpacked, and started as its manifest says; it answers the first message of the protocol. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { run, type Trial } from "./trial.ts";

const BundleManifest = z.object({
  server: z.object({ mcp_config: z.object({ command: z.string(), args: z.array(z.string()) }) }),
});
const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "trial", version: "1" } },
};

export const BUNDLE: Trial = {
  name: "MCP bundle",
  needs: ["unzip"],
  ending: ".mcpb",
  async run({ scratch, file }) {
    const [bundle, repository] = [join(scratch, "bundle"), join(scratch, "repository")];
    mkdirSync(repository);
    await run(["unzip", "-q", file(".mcpb"), "-d", bundle]);
    const { server } = BundleManifest.parse(JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8")));
    const filled = (text: string): string =>
      text.replaceAll("${__dirname}", bundle).replaceAll("${user_config.repository}", repository);
    const command = [server.mcp_config.command, ...server.mcp_config.args].map(filled);
    const answer = await run(command, { cwd: scratch, env: { HOME: scratch }, input: `${JSON.stringify(HELLO)}\n` });
    if (!answer.includes('"serverInfo"')) throw new Error(`the server answered: ${answer}`);
    return "unpacked, started, and answered";
  },
};
