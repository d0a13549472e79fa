/**
 * Reads one line of a client as a JSON-RPC message, or as the error to answer.
 *
 * Never throws. A line that is not JSON, is nested too deep or is not a message is answered with the error that JSON-RPC
 * defines, under the id of the line if it has one.
 */

import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { isTooDeep, JSON_DEPTH_MAX } from "../../text/json-depth.ts";
import { isRecord, parseJson } from "../../text/parse-json.ts";
import type { Line } from "./lines.ts";

/** The answer to a line that cannot be read. `id` is null when no id can be read. */
type ErrorLine = {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
};

/** `silence`: a malformed response of the client, which needs no answer. */
type ReadLine =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "error"; readonly error: ErrorLine }
  | { readonly kind: "silence" };

/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export function readLine(line: Line, bytesMax: number): ReadLine {
  if (line.kind === "too long") return refused(INVALID_REQUEST, `a message is larger than ${bytesMax} bytes`, null);
  if (line.kind === "not UTF-8") return refused(PARSE_ERROR, "a message is not UTF-8", null);
  if (isTooDeep(line.text))
    return refused(INVALID_REQUEST, `a message is nested more than ${JSON_DEPTH_MAX} levels deep`, null);
  const value = parseJson(line.text);
  if (value === undefined) return refused(PARSE_ERROR, "a message is not JSON; send each message on one line", null);
  if (isMessage(value)) return { kind: "message", message: value };
  if (Array.isArray(value))
    return refused(INVALID_REQUEST, "batches are not supported; send each message on its own", null);
  if (isRecord(value) && !("method" in value) && ("result" in value || "error" in value)) return { kind: "silence" };
  return refused(INVALID_REQUEST, "a message is not JSON-RPC 2.0", isRecord(value) ? idOf(value) : null);
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResultResponse(value) ||
    isJSONRPCErrorResponse(value)
  );
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | number | null {
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

const refused = (code: number, message: string, id: string | number | null): ReadLine => ({
  kind: "error",
  error: { jsonrpc: "2.0", id, error: { code, message } },
});
