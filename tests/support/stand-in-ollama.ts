/**
 * A server that speaks Ollama's HTTP protocol and misbehaves on demand, on a port of this machine.
 *
 * It listens on a socket of its own rather than behind a web framework, so that every byte and every way of breaking
 * off is in its hand. A request is answered by what `reply` returns: a text (streamed in pieces, as a model would) or
 * a `Behaviour` (`stand-in-behaviour.ts`). What was asked is kept in `requests`; `bytesWritten` counts what the system took of the replies.
 * `GET /stand-in/requests` gives `requests` to other processes.
 * Not here: running it as a process of its own (`stand-in-ollama-main.ts`, and `stand-in-process.ts` that starts it).
 */
import { createServer, type Server, type Socket } from "node:net";
import { type Behaviour, behave } from "./stand-in-behaviour.ts";
import { embedded, textsAsked, vectorOf } from "./stand-in-embed.ts";
import { described, shown } from "./stand-in-payload.ts";
import { headOf, type Received, received } from "./stand-in-request.ts";
import { body, whole } from "./stand-in-wire.ts";

export type Reply = (request: Received) => string | Behaviour;

export type StandInOllama = AsyncDisposable & {
  readonly port: number;
  readonly url: string;
  /** What was asked so far, of any path, oldest first. */
  readonly requests: readonly Received[];
  /** Only those that ask the model something. */
  generations(): readonly Received[];
  /** Bytes that the system has taken of this server's answers. */
  bytesWritten(): number;
  /** Connections that are open now. */
  connections(): number;
  /** Only those that ask for vectors. */
  embeddings(): readonly Received[];
  /** Answers from now on. */
  answerWith(reply: Reply): void;
  /** Gives vectors from now on. */
  embedWith(embed: EmbedReply): void;
  /** Waits until every connection has been closed; false when one stays open. */
  allClosed(): Promise<boolean>;
};

/** How a request for vectors is answered: with them, or badly. */
export type EmbedReply = (
  request: Received,
  texts: readonly string[],
) => readonly (readonly (number | null)[])[] | Behaviour;

export type StandInOptions = {
  readonly reply: Reply;
  /** By `stand-in-embed.ts` when it is left out. */
  readonly embed?: EmbedReply;
  /** Any other model is answered with 404. */
  readonly models?: readonly string[];
  readonly port?: number;
};

/** Checks for open connections, 5 ms apart. A connection that is being closed is gone long before, even on a busy machine. */
const CHECKS_MAX = 4_000;

export const STAND_IN_MODEL = "stand-in:1b";

/** Starts a server; disposing closes it with all its connections. */
export async function startOllama(options: StandInOptions): Promise<StandInOllama> {
  const models = options.models ?? [STAND_IN_MODEL];
  const sockets = new Set<Socket>();
  const requests: Received[] = [];
  let reply = options.reply;
  let embed: EmbedReply = options.embed ?? ((_, texts) => texts.map((text) => vectorOf(text)));
  let writtenBefore = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      writtenBefore += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.on("error", () => {});
    serve(socket, async (request) => {
      if (!request.path.startsWith("/stand-in/")) requests.push(request);
      await answer(socket, request, models, requests, reply, embed);
    });
  });
  const port = await listen(server, options.port ?? 0);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    generations: () => requests.filter(({ path }) => isGeneration(path)),
    bytesWritten: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, writtenBefore),
    connections: () => sockets.size,
    embeddings: () => requests.filter(({ path }) => isEmbedding(path)),
    answerWith(next) {
      reply = next;
    },
    embedWith(next) {
      embed = next;
    },
    async allClosed() {
      for (let checks = 0; sockets.size > 0 && checks < CHECKS_MAX; checks += 1) await Bun.sleep(5);
      return sockets.size === 0;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  return port;
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

const isEmbedding = (path: string): boolean => path.endsWith("/api/embed");
const isGeneration = (path: string): boolean => path.endsWith("/api/chat") || path.endsWith("/api/generate");

/** Hands over each request of a connection once its body is there, one after the other. */
function serve(socket: Socket, handle: (request: Received) => Promise<void>): void {
  let unread = Buffer.alloc(0);
  let queue = Promise.resolve();
  socket.on("data", (data: Buffer) => {
    unread = Buffer.concat([unread, data]);
    for (;;) {
      const head = headOf(unread);
      if (head === null || unread.length < head.bytes + head.bodyBytes) return;
      const request = received(head, unread.subarray(head.bytes, head.bytes + head.bodyBytes).toString("utf8"));
      unread = unread.subarray(head.bytes + head.bodyBytes);
      queue = queue.then(async () => {
        if (!socket.destroyed) await handle(request);
      });
    }
  });
}

async function answer(
  socket: Socket,
  request: Received,
  models: readonly string[],
  asked: readonly Received[],
  reply: Reply,
  embed: EmbedReply,
): Promise<void> {
  const known = models.some((name) => name === request.model || name === `${request.model}:latest`);
  const missing = (): Promise<void> => whole(socket, 404, { error: `model '${request.model}' not found` });
  const { path } = request;
  if (path === "/stand-in/requests") return await whole(socket, 200, asked);
  if (path.endsWith("/api/version")) return await whole(socket, 200, { version: "0.12.6" });
  if (path.endsWith("/api/tags")) return await whole(socket, 200, { models: models.map(described) });
  if (path.endsWith("/api/show")) return await (known ? whole(socket, 200, shown(request.model)) : missing());
  if (isEmbedding(path)) {
    const given = embed(request, textsAsked(request));
    if ("kind" in given) return await behave(socket, request, given);
    return await (known ? whole(socket, 200, embedded(request, given)) : missing());
  }
  if (!isGeneration(path)) return await body(socket, 404, "text/plain", "404 page not found");
  const chosen = reply(request);
  const behaviour: Behaviour = typeof chosen === "string" ? { kind: "text", text: chosen } : chosen;
  if (!known && behaviour.kind === "text") return await missing();
  await behave(socket, request, behaviour);
}
