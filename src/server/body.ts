/** Reads the JSON of a request: bounded in bytes, depth and time. */
import { isTooDeep, JSON_DEPTH_MAX } from "../text/json-depth.ts";
import type { Refusal } from "./problem.ts";

/** Issues are a few KiB, and even a complete pasted log is smaller. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

export type Body = { readonly text: string; readonly value: unknown };

const tooLarge: Refusal = {
  status: 413,
  code: "too-large",
  detail: `the body is larger than ${BODY_BYTES_MAX} bytes`,
  // What is left of the body is not read.
  headers: { connection: "close" },
};
const tooSlow: Refusal = {
  status: 408,
  code: "too-slow",
  detail: "the body did not arrive in time",
  headers: { connection: "close" },
};
const wrong = (detail: string): Refusal => ({ status: 400, code: "not-json", detail });

/** Rejects with nothing but the reasons of `signal`, which fires when the body takes too long or the client is gone. */
export async function readBody(request: Request, late: AbortSignal): Promise<Body | Refusal> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return { status: 415, code: "not-json", detail: "send the request as content-type: application/json" };
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) return tooLarge;
  const bytes = await readBytes(request, late);
  if (!(bytes instanceof Uint8Array)) return bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return wrong("the body is not UTF-8");
  }
  if (isTooDeep(text)) return wrong(`the body is nested more than ${JSON_DEPTH_MAX} levels deep`);
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return wrong("the body is not JSON");
  }
}

/** Whether more of a request may come that nothing has asked for. */
export const hasUnreadBody = ({ headers, bodyUsed }: Pick<Request, "headers" | "bodyUsed">): boolean =>
  !bodyUsed && (headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0);

async function readBytes(request: Request, late: AbortSignal): Promise<Uint8Array | Refusal> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  late.addEventListener("abort", stop, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late.aborted) return tooSlow;
      if (done) return Buffer.concat(chunks, length);
      length += value.byteLength;
      chunks.push(value);
      if (length <= BODY_BYTES_MAX) continue;
      stop();
      return tooLarge;
    }
  } catch {
    return tooSlow; // The client closed the connection, or broke the encoding.
  } finally {
    late.removeEventListener("abort", stop);
  }
}
