/**
 * A `fetch` for one request to a model server, within the limits of the call for any user.
 *
 * It uses `node:http` instead of the global `fetch`, which sends the prompt to any proxy in the environment, even for this
 * machine, and cannot be told not to. No redirect is followed, no connection is reused, and nothing is read ahead of the
 * reader. Every wait ends when the call is stopped, even if `node:http` never reports anything again.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { CONNECTION_WORDS, errorCode } from "../text/system-errors.ts";
import type { ModelLimits } from "./limits.ts";
import type { ModelFailure } from "./model.ts";
import { errorIn, serverWords } from "./reply-lines.ts";

/** Disposing closes the connection and stops the timers. */
type BoundedCall = Disposable & {
  /** Sends the one request of this call. Rejects when the call fails or the server refuses it. */
  readonly fetch: typeof fetch;
  /** Why the call failed; null while it has not. An aborted signal is not a failure. */
  readonly failure: ModelFailure | null;
};

/** How a reply is read. `bytesMax` bounds its body; `checked` turns its bytes into what the client may read. */
export type ReplyRules = {
  readonly bytesMax: number;
  checked(body: AsyncGenerator<Buffer, void>, reply: ReplyHead): AsyncGenerator<Uint8Array, void>;
};

/** `fail` ends the call with a failure and returns the error to throw. */
type ReplyHead = { readonly status: number; fail(failure: ModelFailure): Error };

type Limit = Extract<ModelFailure, { kind: "timeout" }>["limit"];

/** What the parts of a call share. */
type Call = {
  /** Starts the time limit of a phase and ends the previous one; null while the reader works. */
  enter(phase: Limit | null): void;
  /** Rejects when the call is stopped, and never resolves. Every wait races it. */
  readonly stopped: Promise<never>;
  /** Keeps the first failure and closes the connection. Returns the error to throw. */
  fail(failure: ModelFailure): Error;
};

/** Starts a call of `model`; its total time runs from here. */
export function startCall(
  model: string,
  limits: ModelLimits,
  signal: AbortSignal,
  { bytesMax, checked }: ReplyRules,
): BoundedCall {
  let failure: ModelFailure | null = null;
  let request: ClientRequest | null = null;
  const stopping = Promise.withResolvers<never>();
  // Nothing may be waiting when the call is stopped.
  stopping.promise.catch(() => {});
  const stop = (): Error => {
    const stopped = new Error("the call was stopped");
    stopping.reject(stopped);
    request?.destroy(stopped);
    return stopped;
  };
  const fail = (found: ModelFailure): Error => {
    failure ??= found;
    return stop();
  };
  signal.addEventListener("abort", stop);
  const startTimer = (limit: Limit) => {
    const seconds = secondsOf(limits, limit);
    return setTimeout(() => fail({ kind: "timeout", limit, seconds }), seconds * 1000);
  };
  const total = startTimer("total");
  let timer: ReturnType<typeof startTimer> | undefined;
  const enter = (phase: Limit | null): void => {
    clearTimeout(timer);
    timer = phase === null ? undefined : startTimer(phase);
  };
  const call: Call = { enter, stopped: stopping.promise, fail };
  const bounded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (signal.aborted || failure !== null || request !== null) throw stop();
    const url = new URL(input instanceof Request ? input.url : input);
    const isTls = url.protocol === "https:";
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), "user-agent": "cra" };
    request = (isTls ? httpsRequest : httpRequest)(url, { method: init?.method ?? "GET", headers, agent: false });
    const response = await responseTo(request, isTls, typeof init?.body === "string" ? init.body : "", call);
    const refusal = await refusalIn(response, model, call);
    if (refusal !== null) throw fail(refusal);
    const body = bodyOf(response, bytesMax, call);
    return new Response(streamOf(checked(body, { status: response.statusCode ?? 0, fail })));
  };
  return {
    fetch: Object.assign(bounded, { preconnect: () => {} }),
    get failure() {
      return failure;
    },
    [Symbol.dispose]() {
      signal.removeEventListener("abort", stop);
      enter(null);
      clearTimeout(total);
      request?.destroy();
    },
  };
}

function secondsOf(limits: ModelLimits, limit: Limit): number {
  switch (limit) {
    case "connect":
      return limits.connectSeconds;
    case "first-token":
      return limits.firstTokenSeconds;
    case "idle":
      return limits.idleSeconds;
    case "total":
      return limits.totalSeconds;
  }
}

/** Responses that only say that the response will come (RFC 9110, 15.2). They take room and no limit of size counts them. */
const INTERIM_MAX = 100;

/** Sends the request and waits for the head of the response. */
async function responseTo(request: ClientRequest, isTls: boolean, body: string, call: Call): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let isConnected = false;
  let hasHead = false;
  call.enter("connect");
  request.on("socket", (socket) => {
    socket.once(isTls ? "secureConnect" : "connect", () => {
      isConnected = true;
      call.enter("first-token");
    });
  });
  // It stays for the whole call: an error after the head would end the process if there was no listener.
  request.on("error", (error) => {
    const why = connectionError(error);
    reject(call.fail(isConnected ? { kind: "broken-off", why } : { kind: "unreachable", why }));
  });
  let interim = 0;
  request.on("information", () => {
    interim += 1;
    if (interim > INTERIM_MAX)
      reject(call.fail({ kind: "broken-off", why: "it sent only hints that an answer will come" }));
  });
  request.on("response", (response) => {
    hasHead = true;
    resolve(response);
  });
  // After these events nothing else reports on the connection, neither a response nor an error.
  const switched = (_: IncomingMessage, socket: Duplex): void => {
    socket.destroy();
    reject(call.fail({ kind: "broken-off", why: "it switched to another protocol" }));
  };
  request.on("upgrade", switched);
  request.on("connect", switched);
  request.on("close", () => {
    // After the head, it may come before the body has been read.
    if (!hasHead) reject(call.fail({ kind: "broken-off", why: "the connection was closed" }));
  });
  request.end(body);
  return await Promise.race([promise, call.stopped]);
}

/** The body, each piece within its time limit. The limit of the first piece starts with the connection. */
async function* bodyOf(response: IncomingMessage, bytesMax: number, call: Call): AsyncGenerator<Buffer, void> {
  const pieces = response[Symbol.asyncIterator]();
  for (let bytes = 0; ; call.enter("idle")) {
    const read = pieces.next().catch((error: unknown) => {
      throw call.fail({ kind: "broken-off", why: connectionError(error) });
    });
    const next = await Promise.race([read, call.stopped]);
    call.enter(null);
    if (next.done === true) return;
    const piece = Buffer.from(next.value);
    bytes += piece.length;
    if (bytes > bytesMax) throw call.fail({ kind: "overlong", bytes });
    yield piece;
  }
}

/** A stream that reads nothing ahead of its reader. */
const streamOf = (pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );

/** How much of a refusal is read. */
const REFUSAL_BYTES_MAX = 64 * 1024;

/** Why a response is not a reply; null for a reply. */
async function refusalIn(response: IncomingMessage, model: string, call: Call): Promise<ModelFailure | null> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) return { kind: "redirected" };
  let start = Buffer.alloc(0);
  for await (const piece of bodyOf(response, Number.POSITIVE_INFINITY, call)) {
    start = Buffer.concat([start, piece]);
    if (start.length >= REFUSAL_BYTES_MAX) break;
  }
  const text = start.subarray(0, REFUSAL_BYTES_MAX).toString("utf8");
  const error = errorIn(text);
  if (error !== null) {
    // Servers of another kind answer 404 for a path that they do not know.
    const isMissing = status === 404 && /model/i.test(error);
    return isMissing ? { kind: "missing-model", model } : { kind: "refused", status, why: error };
  }
  const isPlain = response.headers["content-type"]?.startsWith("text/plain") === true && text.trim() !== "";
  return { kind: "refused", status, why: isPlain ? serverWords(text) : "its answer is not that of a model server" };
}

/** What happened to a connection, one line, safe to print. */
function connectionError(error: unknown): string {
  const code = codeOf(error);
  if (code !== null) return WORDS.get(code) ?? (code.startsWith("HPE_") ? "its answer is not HTTP" : serverWords(code));
  return error instanceof Error && error.message !== "" ? serverWords(error.message) : "the connection failed";
}

/** An attempt with several addresses of a name fails with an error that contains one for each. */
function codeOf(error: unknown): string | null {
  return errorCode(error) ?? (error instanceof AggregateError ? codeOf(error.errors[0]) : null);
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ...CONNECTION_WORDS,
  ["EPIPE", "the connection was closed"],
  ["ENOTFOUND", "there is no host with that name"],
  ["EAI_AGAIN", "the name could not be looked up"],
  ["EHOSTUNREACH", "the host is unreachable"],
  ["ENETUNREACH", "the network is unreachable"],
  ["ETIMEDOUT", "the connection timed out"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EMFILE", "too many open files"],
]);
