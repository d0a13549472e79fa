/**
 * Serves the protocol on two streams: lists the tools, runs them, and reports failures.
 *
 * No input of a client ends the server. A failure is a result with `isError` and one line; invalid calls get the errors
 * of the protocol. Calls that write run one at a time, others a few at a time. At the end of the input, pending calls
 * are answered for a while; then all running calls are stopped.
 */

import { fileURLToPath } from "node:url";
import { type CallToolResult, ProtocolError, Server, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type CallQueue, callQueue } from "../concurrency/call-queue.ts";
import { nextTurn } from "../concurrency/next-turn.ts";
import { Failed, sentence } from "../failure.ts";
import { display } from "../text/display.ts";
import { type AppAccess, type IndexBehind, openIndexBehind } from "./index-behind.ts";
import { type LongAnswers, openLongAnswers } from "./long-answers.ts";
import { following, type Tell } from "./progress.ts";
import { openSentRounds, type SentRounds } from "./sent-rounds.ts";
import { listedTool, MARKDOWN, toolResult } from "./tools/protocol.ts";
import type { Limits, Tool } from "./tools/tool.ts";
import { inToolWords } from "./tools/tool-words.ts";
import { TOOLS } from "./tools/tools.ts";
import { lineTransport, type Streams } from "./transport/transport.ts";

/** The dependencies of the server. */
export type McpDeps = Streams &
  AppAccess & {
    readonly version: string;
    readonly limits: Limits;
    /** Answers with structured content instead of text. */
    readonly isStructured: boolean;
    /** The tools that clients are told of. */
    readonly tools: readonly Tool[];
    /** Whether the repository is known; otherwise it is the first of the client's roots. */
    readonly isPlaced: boolean;
  };

function instructions(tools: readonly Tool[]): string {
  const further = tools.flatMap(({ mention }) => mention ?? []);
  const more = further.length === 0 ? "" : ` Also: ${further.join(", ")}.`;
  return `cra has this repository indexed. Call retrieve with the task in words before you search or read files: it returns the code that the task needs. Call refine with the task_id when something was missing or wrong, read for more of a file or definition, search to look up one name, explain to see why something was chosen.${more}`;
}

/** Parallel calls that do not write. */
const READING_AT_ONCE = 4;
/** Further calls are refused. */
const WAITING_MAX = 200;
const BUSY = -32000;

/** Time to answer pending calls after the end of the input. */
const ANSWER_AFTER_END_MS = 10_000;

/** Runs until the input ends or the signal fires; throws the signal's reason then. */
export async function serve(deps: McpDeps, signal: AbortSignal): Promise<void> {
  const busy = () => new ProtocolError(BUSY, `more than ${WAITING_MAX} calls are waiting; call again later`);
  const writing = callQueue(1, WAITING_MAX, busy);
  const reading = callQueue(READING_AT_ONCE, WAITING_MAX, busy);
  const running = new Set<Promise<unknown>>();
  const behind = openIndexBehind(deps);
  const longAnswers = openLongAnswers();
  const sent = openSentRounds();
  const transport = lineTransport(deps);
  const handle = serveStdio(
    () => {
      const server = new Server(
        { name: "cra", title: "Clean Room Agent", version: deps.version },
        { capabilities: { tools: {}, resources: {} }, instructions: instructions(deps.tools) },
      );
      server.setRequestHandler("tools/list", () => ({
        tools: deps.tools.map((row) => listedTool(row, deps.limits, deps.isStructured)),
      }));
      server.setRequestHandler("resources/list", () => ({
        resources: longAnswers.uris().map((uri) => ({ uri, name: uri, mimeType: MARKDOWN })),
      }));
      // Clients ask every server that has resources.
      server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
      server.setRequestHandler("resources/read", ({ params: { uri } }) => ({
        contents: [{ uri, mimeType: MARKDOWN, text: longAnswers.read(uri) }],
      }));
      server.setRequestHandler("tools/call", async ({ params }, context) => {
        const row = TOOLS.find(({ name }) => name === params.name);
        if (row === undefined) throw unknownTool(params.name);
        const call = answered(
          { ...deps, behind, longAnswers, sent },
          server,
          row,
          params.arguments,
          context,
          row.writes ? writing : reading,
        );
        running.add(call);
        return await call.finally(() => running.delete(call));
      });
      return server;
    },
    { transport },
  );
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([transport.ended, stopped.promise]);
    await Promise.race([settled(running), Bun.sleep(ANSWER_AFTER_END_MS), stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    await handle.close();
    await Promise.allSettled(running);
    await behind.stop();
  }
}

const NAMES: readonly string[] = TOOLS.map(({ name }) => name);
const argumentsOf = ({ input: { properties } }: Tool): readonly string[] => Object.keys(properties ?? {});

const unknownTool = (name: string): ProtocolError =>
  new ProtocolError(
    INVALID_PARAMS,
    `there is no tool ${display(JSON.stringify(name.slice(0, 100)))}; there are ${NAMES.join(", ")}`,
  );
const INVALID_PARAMS = -32602;

/** Waits for pending calls, those that start meanwhile, and the sending of their answers. */
async function settled(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await Promise.allSettled(running);
    await nextTurn();
  } while (running.size > 0);
}

async function answered(
  deps: McpDeps & { readonly behind: IndexBehind; readonly longAnswers: LongAnswers; readonly sent: SentRounds },
  server: Server,
  row: Tool,
  args: unknown,
  context: ServerContext,
  queue: CallQueue,
): Promise<CallToolResult> {
  const { mcpReq } = context;
  const stop = new AbortController();
  const cancel = (): void => stop.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
  mcpReq.signal.addEventListener("abort", cancel, { once: true });
  if (mcpReq.signal.aborted) cancel();
  const { limits, sent } = deps;
  try {
    const answer = row.prepared(args);
    return await queue(stop.signal, async () => {
      const folder = deps.isPlaced ? null : await rootFolder(server, stop.signal);
      return await deps.withApp(folder, stop.signal, async (app) => {
        const follow = following(app.nowMs, tellOf(context, deps));
        const found = await answer({ app, signal: stop.signal, follow, limits, behind: deps.behind.in(folder), sent });
        return toolResult(found, row, limits, deps);
      });
    });
  } catch (thrown) {
    const error = deps.failureIn(thrown);
    if (error instanceof ProtocolError) throw error;
    if (error instanceof Failed) return refused(display(inToolWords(sentence(error.failure), argumentsOf(row), NAMES)));
    deps.onBug(thrown);
    return refused("internal error in cra; the details are on its standard error");
  } finally {
    mcpReq.signal.removeEventListener("abort", cancel);
  }
}

const refused = (message: string): CallToolResult => ({ content: [{ type: "text", text: message }], isError: true });

/** Null if the client wants no progress. Failures to send a notification are ignored. */
export function tellOf({ mcpReq }: ServerContext, { onBug }: Pick<McpDeps, "onBug">): Tell | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return ({ progress, message }) => {
    if (mcpReq.signal.aborted) return;
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(onBug);
  };
}

/** A client that does not answer has no roots. */
const PATIENCE_MS = 5_000;

/** The first root of the client: its absolute path; null if the client names none. */
async function rootFolder(server: Server, signal: AbortSignal): Promise<string | null> {
  if (server.getClientCapabilities()?.roots === undefined) return null;
  try {
    const { roots } = await server.listRoots(undefined, { signal, timeout: PATIENCE_MS });
    const uri = roots.map((root) => root.uri).find((one) => one.startsWith("file:"));
    return uri === undefined ? null : fileURLToPath(uri);
  } catch {
    signal.throwIfAborted();
    // A client that announces roots without listing them has none.
    return null;
  }
}
