/** The official MCP client, connected to the compiled binary. */
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { binary } from "./binary.ts";
import { tempFolder } from "./folder.ts";
import { briefEnvironment } from "./run-cra.ts";

/**
 * `progress`: what the server has reported, as it arrived. The client drops reports that come in one piece with the answer, which a busy machine
 * makes of the last ones.
 */
export type McpClient = AsyncDisposable & {
  readonly client: Client;
  readonly pid: number | null;
  readonly progress: readonly Progress[];
};

const Progress = z.object({
  method: z.literal("notifications/progress"),
  params: z.object({ progress: z.number(), message: z.string() }),
});
type Progress = z.infer<typeof Progress>["params"];

/** The parts of a tool result that tests check. */
export type ToolAnswer = {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

export type McpOptions = {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly options?: ClientOptions;
  /** Home folder; a fresh empty one by default. */
  readonly home?: string;
  /** Called for every output line that is not a protocol message. */
  readonly onError?: (error: Error) => void;
  /** The roots that the client reports. */
  readonly roots?: readonly string[];
};

/** Starts `cra mcp` and completes the handshake. Disposing ends it as clients do. */
export async function openMcp({
  cwd,
  args = [],
  options = {},
  home: given,
  onError,
  roots,
}: McpOptions): Promise<McpClient> {
  const home = tempFolder();
  const transport = new StdioClientTransport({
    command: await binary(),
    args: ["mcp", ...args],
    cwd,
    env: briefEnvironment(given ?? home.path),
    stderr: "ignore",
  });
  const progress: Progress[] = [];
  transport.onmessage = (message) => {
    const report = Progress.safeParse(message).data;
    if (report !== undefined) progress.push(report.params);
  };
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities, ...options });
  if (onError !== undefined) client.onerror = onError;
  if (roots !== undefined) {
    client.setRequestHandler("roots/list", () => ({
      roots: roots.map((path) => ({ uri: Bun.pathToFileURL(path).href })),
    }));
  }
  await client.connect(transport);
  return {
    client,
    pid: transport.pid,
    progress,
    async [Symbol.asyncDispose]() {
      await client.close();
      home[Symbol.dispose]();
    },
  };
}

/** Calls a tool. The client validates structured content against the tool's output schema. */
export async function callTool(
  { client }: McpClient,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: Parameters<Client["callTool"]>[1] = {},
): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: { ...args } }, options);
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const { structuredContent: structured } = result;
  const isObject = typeof structured === "object" && structured !== null && !Array.isArray(structured);
  return { text, structured: isObject ? { ...structured } : {}, isError: result.isError === true };
}
