/** Words for the error of a connection. */
import { serverWords } from "./reply-lines.ts";

/** What happened to a connection, one line, safe to print. */
export function connectionError(error: unknown): string {
  const code = codeOf(error);
  if (code !== null) return WORDS.get(code) ?? (code.startsWith("HPE_") ? "its answer is not HTTP" : serverWords(code));
  return error instanceof Error && error.message !== "" ? serverWords(error.message) : "the connection failed";
}

/** Trying several addresses of a name fails with an error that holds one for each. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "the connection was closed"],
  ["EPIPE", "the connection was closed"],
  ["ENOTFOUND", "there is no host of that name"],
  ["EAI_AGAIN", "the name could not be looked up"],
  ["EHOSTUNREACH", "no way to that host"],
  ["ENETUNREACH", "no way to that network"],
  ["ETIMEDOUT", "the connection timed out"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EMFILE", "too many open files"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is not trusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate is not trusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
]);
