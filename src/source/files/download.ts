/**
 * Downloads a URL completely, within limits on size and time.
 *
 * Redirects are followed from https to https only, a few times; credentials in the URL go to its own host only. Proxies come from the
 * environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). Failures are results, and their messages never repeat parts of the URL that may
 * be secret.
 */
import { percentDecoded } from "../../text/percent.ts";
import { CONNECTION_WORDS, errorCode } from "../../text/system-errors.ts";
import type { FileRead } from "./read-file.ts";

/** `idleMs` limits the wait for each chunk and for the response, `totalMs` the whole download. */
type DownloadLimits = { readonly bytesMax: number; readonly idleMs: number; readonly totalMs: number };

const REDIRECTIONS_MAX = 5;

/** Whether a text is a URL rather than a file name. */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** The URL without user name, password, query and fragment, which may hold keys. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "the URL";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Why a URL cannot be downloaded; null when it can. */
export function addressProblem(address: string): string | null {
  if (!URL.canParse(address)) return "it is not a valid URL";
  const { protocol, hostname } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return "it does not start with http:// or https://";
  return hostname === "" ? "it names no host" : null;
}

/** Throws only the signal's reason. */
export async function download(address: string, limits: DownloadLimits, signal: AbortSignal): Promise<FileRead> {
  const stop = new AbortController();
  let late: string | null = null;
  const after = (ms: number, what: string) =>
    setTimeout(() => {
      late ??= `${what} ${Math.round(ms / 1_000)} s`;
      stop.abort();
    }, ms);
  const total = after(limits.totalMs, "the download was not complete after");
  let idle = after(limits.idleMs, NO_DATA);
  const alive = (): void => {
    clearTimeout(idle);
    idle = after(limits.idleMs, NO_DATA);
  };
  try {
    return await read(address, limits.bytesMax, alive, AbortSignal.any([signal, stop.signal]));
  } catch (error) {
    signal.throwIfAborted();
    return problem(late ?? connectionWords(error));
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    // Do not wait for data that is still on its way.
    stop.abort();
  }
}

const NO_DATA = "no data arrived for";

async function read(address: string, bytesMax: number, alive: () => void, signal: AbortSignal): Promise<FileRead> {
  let url = new URL(address);
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(withoutUser(url).href, {
      redirect: "manual",
      headers: { "accept-encoding": "identity", "user-agent": "cra", ...authorization(url) },
      // The limit counts bytes as received, so a compressed response must not expand.
      decompress: false,
      keepalive: false,
      signal,
    });
    alive();
    if (response.status >= 300 && response.status <= 399) {
      const next = redirection(url, response.headers.get("location"), hops);
      if (typeof next === "string") return problem(next);
      await response.body?.cancel();
      url = next;
      continue;
    }
    if (response.status !== 200) return problem(`the server responded with status ${response.status}`);
    return await bodyOf(response, bytesMax, alive);
  }
}

async function bodyOf(response: Response, bytesMax: number, alive: () => void): Promise<FileRead> {
  const tooLong = problem(`it is larger than ${bytesMax} bytes`);
  const promised = Number(response.headers.get("content-length") ?? Number.NaN);
  if (promised > bytesMax) return tooLong;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    alive();
    length += piece.length;
    if (length > bytesMax) return tooLong;
    pieces.push(piece);
  }
  if (promised > length) return problem("the connection was closed before the download was complete");
  return { kind: "bytes", bytes: Buffer.concat(pieces) };
}

/** The target of a redirect, or why it is not followed. */
export function redirection(from: URL, location: string | null, hops: number): URL | string {
  if (hops >= REDIRECTIONS_MAX) return "there are too many redirects";
  if (location === null || !URL.canParse(location, from.href)) return "the redirect has no valid target";
  const next = new URL(location, from);
  if (from.protocol !== "https:" || next.protocol !== "https:")
    return "the redirect is not from https:// to https://, so it is not followed";
  // The user decides which host may see a password, not the server.
  next.username = next.host === from.host ? from.username : "";
  next.password = next.host === from.host ? from.password : "";
  return next;
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const [user, secret] = [username, password].map(percentDecoded);
  return { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` };
}

const problem = (why: string): FileRead => ({ kind: "problem", why });

/** Describes an error in our own words, because the system's message may contain the URL. */
function connectionWords(error: unknown): string {
  const code = errorCode(error) ?? "";
  return (
    WORDS.get(code) ??
    (/^[A-Z][A-Za-z_]{2,60}$/.test(code) ? `the connection failed (${code})` : "the connection failed")
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ...CONNECTION_WORDS,
  ["ConnectionRefused", "connection refused"],
  ["ConnectionClosed", "the connection was closed"],
  ["ENOTFOUND", "the host does not exist"],
  ["FailedToOpenSocket", "the host does not exist or cannot be reached"],
]);
