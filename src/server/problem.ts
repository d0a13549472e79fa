/** Errors as RFC 9457 problem documents. What a client cannot help is said in general words, and in the log in full. */
import { z } from "zod";
import { Failed, type Failure, sentence } from "../failure.ts";
import { inToolWords } from "../mcp/tools/tool-words.ts";
import { display } from "../text/display.ts";

/** `code` is a word for programs; the other members are those of RFC 9457. */
export const Problem = z.strictObject({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  instance: z.string().describe("names this request in the log"),
  floor: z.int().optional().describe("the smallest budget that works, where the one asked for is too small"),
});

export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The seconds after which it may go well. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly floor?: number;
};

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** The same answer for a repository that does not exist and one that is not granted. */
export const NO_SUCH_REPOSITORY: Refusal = {
  status: 404,
  code: "no-repository",
  detail: "there is no such repository, or this token may not read it; GET /v1/repositories lists those it may read",
};

export const BUG: Refusal = {
  status: 500,
  code: "internal",
  detail: "internal error in cra; the server's log says more",
};

export const BUSY: Refusal = {
  status: 503,
  code: "busy",
  detail: "too many requests are waiting; ask again later",
  retryAfter: 1,
};

/** A failure of a request. Those that speak of the server's own files are told in general words. */
export function refusalOf(failure: Failure): Refusal {
  const { code } = failure;
  const detail = display(sentence(failure));
  // What a store lacks does not come by waiting.
  if (failure.code === "not-indexed" && failure.next !== undefined)
    return { status: 503, code, detail: `it cannot be served as it was pushed; ${failure.next}`, retryAfter: 60 };
  switch (code) {
    case "usage":
      return { status: 400, code, detail };
    case "budget-below-floor":
      return { status: 422, code, detail: inToolWords(detail, ["budget"], []), floor: failure.floor };
    case "no-match":
      return { status: 404, code, detail: inToolWords(detail, [], ["search"]) };
    case "not-indexed":
    case "locked":
    case "index-behind":
      return { status: 503, code, detail: "there is no index yet; ask again later", retryAfter: 5 };
    case "index-damaged":
      return { status: 503, code, detail: "the index was damaged and is made anew; ask again later", retryAfter: 5 };
    case "no-repository":
    case "config":
      return {
        status: 503,
        code,
        detail: "this repository cannot be read now; the server's log says why",
        retryAfter: 60,
      };
    case "store-refused":
      return {
        status: 503,
        code,
        detail: "what the store has of it is not trusted; the server's log says why",
        retryAfter: 60,
      };
    case "store-unavailable":
      return { status: 503, code, detail: "the store does not answer; ask again later", retryAfter: 5 };
    default:
      return BUG;
  }
}

export type Errors = {
  /** Converts an error to a failure if it is one. */
  failureIn(error: unknown): unknown;
  /** Receives errors whose reason no client sees. */
  onBug(thrown: unknown): void;
};

/** How an error is answered. What no client can help is reported. */
export function refusalIn(thrown: unknown, { failureIn, onBug }: Errors): Refusal {
  const error = failureIn(thrown);
  const refusal = error instanceof Failed ? refusalOf(error.failure) : BUG;
  if (refusal.status >= 500) onBug(error);
  return refusal;
}

/** The document, its headers, and the status of a refusal. */
export function problemResponse(refusal: Refusal, requestId: string): Response {
  const { status, code, detail, retryAfter, headers = {}, floor } = refusal;
  const title = TITLES[status] ?? "Error";
  const instance = `urn:uuid:${requestId}`;
  const body: z.infer<typeof Problem> = {
    ...{ type: "about:blank", title, status, detail, code, instance },
    ...(floor === undefined ? {} : { floor }),
  };
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      ...headers,
    },
  });
}
