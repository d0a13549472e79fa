/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions: any replica answers any message.
 *
 * The SDK speaks both generations of the protocol. Who asks is known before a message gets here.
 */
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Failed, sentence } from "../failure.ts";
import { NOTHING_BEHIND } from "../mcp/index-behind.ts";
import { LIMITS } from "../mcp/limits.ts";
import { following } from "../mcp/progress.ts";
import { NOTHING_SENT } from "../mcp/sent-rounds.ts";
import { tellOf } from "../mcp/serve.ts";
import { listedTool, toolResult } from "../mcp/tools/protocol.ts";
import { inToolWords } from "../mcp/tools/tool-words.ts";
import { display } from "../text/display.ts";
import type { Caller } from "./access.ts";
import type { Asker } from "./ask.ts";
import { BODY_BYTES_MAX } from "./body.ts";
import { NO_SUCH_REPOSITORY } from "./problem.ts";
import type { Stop } from "./stop.ts";
import { SERVED_TOOLS, splitArguments, withRepository } from "./tools/tools.ts";

/** One request: who asks, what ends it, and what the log is told of it. */
type McpCall = {
  readonly caller: Caller;
  readonly stop: Stop;
  note(fields: Readonly<Record<string, string>>): void;
};

export type McpHandler = {
  answer(request: Request, call: McpCall): Promise<Response>;
  /** Ends streams that clients hold open. */
  close(): Promise<void>;
};

type McpHandlerDeps = {
  readonly version: string;
  readonly asker: Asker;
  /** Whether the log is told the texts of tasks. */
  readonly logsTasks: boolean;
  onBug(thrown: unknown): void;
};

/** Streams that are open at the same time. No tool changes, so there is nothing to hear on them. */
const SUBSCRIPTIONS_MAX = 100;
const INVALID_PARAMS = -32602;
const NAMED_MAX = 20;
const TOOL_NAMES = SERVED_TOOLS.map(({ name }) => name);

/** The SDK refuses longer batches. */
const BATCH_MAX = 100;

/** How many calls a body asks for: a batch is a list of messages. */
export const callsIn = (body: unknown): number =>
  Array.isArray(body) ? Math.max(1, Math.min(BATCH_MAX, body.length)) : 1;

export function openMcpHandler(deps: McpHandlerDeps): McpHandler {
  const { version, asker } = deps;
  // The SDK hands on what it is given, so the call of a request is found by it.
  const calls = new WeakMap<AuthInfo, McpCall>();
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      const call = authInfo === undefined ? undefined : calls.get(authInfo);
      if (call === undefined) throw new Error("a message came without its call");
      const granted = await asker.granted(call.caller);
      const server = new Server(
        { name: "cra", title: "Clean Room Agent", version },
        { capabilities: { tools: {} }, instructions: instructions(granted) },
      );
      server.setRequestHandler("tools/list", () => ({
        tools: SERVED_TOOLS.map((row) => listedTool(withRepository(row, granted), LIMITS, false)),
      }));
      server.setRequestHandler("tools/call", async ({ params }, context) =>
        answered(deps, call, params.name, params.arguments, context),
      );
      return server;
    },
    { maxRequestBodySize: BODY_BYTES_MAX + 1, maxSubscriptions: SUBSCRIPTIONS_MAX },
  );
  return {
    async answer(request, call) {
      const authInfo: AuthInfo = { token: "", clientId: call.caller.name, scopes: [] };
      calls.set(authInfo, { ...call, note: notesOfAll(call) });
      return await handler.fetch(request, { authInfo });
    },
    close: handler.close,
  };
}

/** A batch holds several calls, and the log has one line for all of them: tools and arguments in order, each repository once. */
function notesOfAll({ note }: McpCall): McpCall["note"] {
  const all = new Map<string, readonly string[]>();
  return (fields) => {
    for (const [name, text] of Object.entries(fields)) {
      const before = all.get(name) ?? [];
      if (name !== "repository" || !before.includes(text)) all.set(name, [...before, text]);
      note({ [name]: (all.get(name) ?? []).join(name === "arguments" ? "\n" : ",") });
    }
  };
}

function instructions(granted: readonly string[]): string {
  const more = granted.length > NAMED_MAX ? ` and ${granted.length - NAMED_MAX} more` : "";
  const names = `${granted.slice(0, NAMED_MAX).join(", ")}${more}`;
  const which =
    granted.length === 1
      ? `It serves ${names}.`
      : `Name the repository in each call; it serves ${names || "none to you"}.`;
  return display(
    `cra has repositories indexed. ${which} Call retrieve with the task in words before you search or read files: it returns the code that the task needs. Call it again with what was missing or wrong, read for more of a file or definition, search to look up one name, explain to see why something was chosen.`,
  );
}

async function answered(
  { asker, onBug, logsTasks }: McpHandlerDeps,
  call: McpCall,
  name: string,
  args: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const row = SERVED_TOOLS.find((tool) => tool.name === name);
  if (row === undefined)
    throw new ProtocolError(
      INVALID_PARAMS,
      `there is no tool ${display(JSON.stringify(name.slice(0, 100)))}; there are ${TOOL_NAMES.join(", ")}`,
    );
  let split: ReturnType<typeof splitArguments>;
  let answer: ReturnType<typeof row.prepared>;
  call.note({ tool: name });
  try {
    split = splitArguments(args, row);
    if (logsTasks) call.note({ arguments: JSON.stringify(split.rest) });
    answer = row.prepared(split.rest);
  } catch (error) {
    if (error instanceof Failed) return refused(sentence(error.failure), row.input);
    throw error;
  }
  const { stop } = call;
  const signal = AbortSignal.any([stop.signal, context.mcpReq.signal]);
  const question = {
    caller: call.caller,
    repository: split.repository,
    stop,
    onRepository: (of: string) => call.note({ repository: of }),
  };
  const outcome = await asker.ask(question, async (app) => {
    const follow = following(app.nowMs, tellOf(context, { onBug }));
    const found = await answer({ app, signal, follow, limits: LIMITS, behind: NOTHING_BEHIND, sent: NOTHING_SENT });
    return app.redactor.value(toolResult(found, row, LIMITS, { isStructured: false, longAnswers: CUT }));
  });
  if ("answer" in outcome) return outcome.answer;
  return refused(outcome.refusal === NO_SUCH_REPOSITORY ? NO_SUCH : outcome.refusal.detail, row.input);
}

/** To an agent, which asks no addresses. */
const NO_SUCH = "there is no such repository, or you may not read it; name one that the tool's input schema lists";

/** An answer that is too long ends early: there is no place to keep its rest. */
const CUT: Parameters<typeof toolResult>[3]["longAnswers"] = {
  shown: (text, charsMax) => ({
    text:
      text.length <= charsMax
        ? text
        : `${text.slice(0, charsMax - 100).toWellFormed()}\nThe answer goes on; ask for less.\n`,
    rest: null,
  }),
};

const refused = (message: string, { properties }: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: "text", text: display(inToolWords(message, Object.keys(properties ?? {}), TOOL_NAMES)) }],
  isError: true,
});
