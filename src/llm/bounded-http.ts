/**
 * A `fetch` for one call to a model server, which holds the call to its limits whoever uses it.
 *
 * It goes out through `node:http` and not through the global `fetch`, which would send the prompt to whatever proxy the
 * environment names, even for this machine, and cannot be told otherwise. Invariants: no redirect is followed, no proxy
 * is used, no connection is kept for later; at most `wireBytesMax` bytes of an answer are read, and no faster than
 * they are asked for; of a chat, what passes on is only its lines, checked and trimmed to what is used, so that the client,
 * which prints what it cannot read, always can; of a call that is answered by one object, its bytes. Whatever goes wrong is `failure`, and the promise or stream that the
 * client holds is rejected, whether or not `node:http` says anything more. Not here: the text of the reply (`ollama.ts`).
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { type CallTimers, callTimers } from "./call-timers.ts";
import { troubleWords } from "./connection-errors.ts";
import { type ModelLimits, wireBytesMax } from "./limits.ts";
import type { ModelFailure } from "./model.ts";
import { errorIn, lineCutter, readLine, serverWords } from "./reply-lines.ts";

/** Disposing closes the connection and stops the timers. */
export type GuardedCall = Disposable & {
  /** Serves one request. */
  readonly fetch: typeof fetch;
  /** Why the call failed; null while it has not. A fired signal is not a failure. */
  readonly failure: ModelFailure | null;
};

/** How an answer comes: as the lines of a chat, or in one piece of so many bytes at most. */
export type AnswerForm = "lines" | { readonly wholeBytesMax: number };

/** What the parts of a call share. */
type Call = {
  readonly limits: ModelLimits;
  readonly timers: CallTimers;
  /** Rejects when the call is broken off; never resolves. All that is waited for is waited for beside it. */
  readonly stopped: Promise<never>;
  /** Keeps the first failure and breaks the connection off. Returns an error to reject with. */
  fail(failure: ModelFailure): Error;
};

/** An answer that says why there is none is read up to here. */
const REFUSAL_BYTES_MAX = 64 * 1024;

/** Begins a call of a model; its total time runs from here. */
export function guardCall(
  model: string,
  limits: ModelLimits,
  signal: AbortSignal,
  form: AnswerForm = "lines",
): GuardedCall {
  let failure: ModelFailure | null = null;
  let request: ClientRequest | null = null;
  const stopping = Promise.withResolvers<never>();
  // A call may be broken off while nothing is waited for.
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
  const timers = callTimers(limits, (limit, seconds) => fail({ kind: "timeout", limit, seconds }));
  const call: Call = { limits, timers, stopped: stopping.promise, fail };
  signal.addEventListener("abort", stop);
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (signal.aborted || failure !== null || request !== null) throw stop();
    const url = new URL(input instanceof Request ? input.url : input);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), "user-agent": "cra" };
    request = send(url, { method: init?.method ?? "GET", headers, agent: false });
    const response = await responseTo(request, url, typeof init?.body === "string" ? init.body : "", call);
    const refusal = await refusalIn(response, model, call);
    if (refusal !== null) throw fail(refusal);
    return new Response(
      streamOf(form === "lines" ? checkedLines(response, call) : boundedPieces(response, form.wholeBytesMax, call)),
    );
  };
  return {
    fetch: Object.assign(guarded, { preconnect: () => {} }),
    get failure() {
      return failure;
    },
    [Symbol.dispose]() {
      signal.removeEventListener("abort", stop);
      timers[Symbol.dispose]();
      request?.destroy();
    },
  };
}

/** Sends the request and waits for the head of the answer. */
async function responseTo(request: ClientRequest, url: URL, body: string, call: Call): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let connected = false;
  let answered = false;
  call.timers.enter("connect");
  request.on("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      connected = true;
      call.timers.enter("first-token");
    });
  });
  // Stays for the whole call: an error that comes after the head would end the process if nobody heard it.
  request.on("error", (error) => {
    const why = troubleWords(error);
    reject(call.fail(connected ? { kind: "broken-off", why } : { kind: "unreachable", why }));
  });
  request.on("response", (response) => {
    answered = true;
    resolve(response);
  });
  // Neither was asked for. The connection belongs to nobody then, and no response and no error would come.
  const otherwise = (_: IncomingMessage, socket: Duplex): void => {
    socket.destroy();
    reject(call.fail({ kind: "broken-off", why: "it speaks another protocol than was asked for" }));
  };
  request.on("upgrade", otherwise);
  request.on("connect", otherwise);
  request.on("close", () => {
    // After the head it may come before the reply has been read.
    if (!answered) reject(call.fail({ kind: "broken-off", why: "the connection was closed" }));
  });
  request.end(body);
  return await Promise.race([promise, call.stopped]);
}

/** What an answer that is no reply says, null for a reply. */
async function refusalIn(response: IncomingMessage, model: string, call: Call): Promise<ModelFailure | null> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) return { kind: "redirected" };
  const body = await startOf(response, call);
  const error = errorIn(body);
  if (error === null) return { kind: "refused", status, why: wordsOf(response, body) };
  return status === 404 ? { kind: "missing-model", model } : { kind: "refused", status, why: error };
}

const wordsOf = (response: IncomingMessage, body: string): string =>
  response.headers["content-type"]?.startsWith("text/plain") === true && body.trim() !== ""
    ? serverWords(body)
    : "its answer is not one of Ollama";

async function startOf(response: IncomingMessage, call: Call): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(response, call)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= REFUSAL_BYTES_MAX) break;
  }
  return Buffer.concat(pieces).subarray(0, REFUSAL_BYTES_MAX).toString("utf8");
}

/** The lines of a reply as the client shall see them, to the one that says it is done. */
async function* checkedLines(response: IncomingMessage, call: Call): AsyncGenerator<string, void> {
  const cutter = lineCutter();
  let bytes = 0;
  const checked = (line: string): { readonly text: string; readonly done: boolean } => {
    const read = readLine(line);
    switch (read.kind) {
      case "part":
        return { text: `${JSON.stringify(read.part)}\n`, done: read.part.done };
      case "error":
        throw call.fail({ kind: "refused", status: response.statusCode ?? 0, why: read.why });
      case "unreadable":
        throw call.fail({ kind: "broken-off", why: `a line of it is not one of Ollama: ${read.start}` });
    }
  };
  for await (const piece of piecesOf(response, call)) {
    bytes += piece.length;
    if (bytes > wireBytesMax(call.limits)) throw call.fail({ kind: "overlong", bytes });
    for (const line of cutter.add(piece)) {
      const { text, done } = checked(line);
      yield text;
      if (done) return;
    }
  }
  for (const line of cutter.rest()) {
    const { text, done } = checked(line);
    yield text;
    if (done) return;
  }
  throw call.fail({ kind: "broken-off", why: "it ended before the model was done" });
}

/** The bytes of an answer as they come, up to a bound. */
async function* boundedPieces(response: IncomingMessage, bytesMax: number, call: Call): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const piece of piecesOf(response, call)) {
    bytes += piece.length;
    if (bytes > bytesMax) throw call.fail({ kind: "overlong", bytes });
    yield piece;
  }
}

/** The body piece by piece, each within its time. */
async function* piecesOf(response: IncomingMessage, call: Call): AsyncGenerator<Buffer, void> {
  const pieces = response[Symbol.asyncIterator]();
  for (let first = true; ; first = false) {
    // The limit of the first piece has been running since the connection stood.
    if (!first) call.timers.enter("idle");
    const read = pieces.next().catch((error: unknown) => {
      throw call.fail({ kind: "broken-off", why: troubleWords(error) });
    });
    const next = await Promise.race([read, call.stopped]);
    call.timers.rest();
    if (next.done === true) return;
    yield Buffer.from(next.value);
  }
}

/** Nothing is read ahead of the reader. */
function streamOf(parts: AsyncGenerator<string | Buffer, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(typeof next.value === "string" ? encoder.encode(next.value) : next.value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
