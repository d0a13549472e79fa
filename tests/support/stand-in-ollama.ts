/**
 * A server that speaks Ollama's HTTP protocol and can misbehave, on a local port.
 *
 * It uses a raw socket so that tests control every byte and every way to break a connection. `reply` decides each
 * answer: a text, streamed in chunks, or a `Behaviour` (`stand-in-behaviour.ts`).
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
  /** All requests so far, oldest first. */
  readonly requests: readonly Received[];
  /** Only generation requests. */
  generations(): readonly Received[];
  /** Response bytes that the system has accepted. */
  bytesWritten(): number;
  /** Only embedding requests. */
  embeddings(): readonly Received[];
  /** Replaces the reply to generation requests. */
  answerWith(reply: Reply): void;
  /** Replaces the reply to embedding requests. */
  embedWith(embed: EmbedReply): void;
  /** Waits until every connection is closed; false if one stays open. */
  allClosed(): Promise<boolean>;
};

/** The answer to an embedding request: vectors or a fault. */
export type EmbedReply = (
  request: Received,
  texts: readonly string[],
) => readonly (readonly (number | null)[])[] | Behaviour;

export type StandInOptions = {
  readonly reply: Reply;
  /** Defaults to the vectors of `stand-in-embed.ts`. */
  readonly embed?: EmbedReply;
  /** Any other model gets 404. */
  readonly models?: readonly string[];
  /** Fields that replace those of `/api/show`, `/api/version` and a model in `/api/tags`. */
  readonly says?: ServerSays;
};

export type ServerSays = {
  readonly show?: Readonly<Record<string, unknown>>;
  /** `/api/show` fails so. */
  readonly showFailure?: { readonly status: number; readonly error: string };
  readonly version?: string;
  readonly digest?: string;
};

/** How often to check for open connections, 5 ms apart. Even on a busy machine a closing connection is gone long before. */
const CHECKS_MAX = 4_000;

export const STAND_IN_MODEL = "stand-in:1b";

/** Starts a server; disposing closes it and all its connections. */
export async function startOllama(options: StandInOptions): Promise<StandInOllama> {
  const { models = [STAND_IN_MODEL], says = {} } = options;
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
      requests.push(request);
      await answer(socket, request, { models, says }, reply, embed);
    });
  });
  const port = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    generations: () => requests.filter(({ path }) => isGeneration(path)),
    bytesWritten: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, writtenBefore),
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

/** A local port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  return port;
}

async function listen(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

const isEmbedding = (path: string): boolean => path.endsWith("/api/embed");
const isGeneration = (path: string): boolean => path.endsWith("/api/chat") || path.endsWith("/api/generate");

/** Passes on the requests of a connection one by one, each after its body is complete. */
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
  { models, says }: { readonly models: readonly string[]; readonly says: ServerSays },
  reply: Reply,
  embed: EmbedReply,
): Promise<void> {
  const known = models.some((name) => name === request.model || name === `${request.model}:latest`);
  const missing = (): Promise<void> => whole(socket, 404, { error: `model '${request.model}' not found` });
  const { path } = request;
  if (path.endsWith("/api/version")) return await whole(socket, 200, { version: says.version ?? "0.12.6" });
  if (path.endsWith("/api/tags"))
    return await whole(socket, 200, { models: models.map((name) => described(name, says.digest)) });
  if (path.endsWith("/v1/models"))
    return await whole(socket, 200, { object: "list", data: models.map((id) => ({ id, owned_by: "library" })) });
  if (path.endsWith("/api/show") && says.showFailure !== undefined)
    return await whole(socket, says.showFailure.status, { error: says.showFailure.error });
  if (path.endsWith("/api/show"))
    return await (known ? whole(socket, 200, { ...shown(request.model), ...says.show }) : missing());
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
