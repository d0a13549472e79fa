/**
 * Reads what is at an address, whole and within limits.
 *
 * A redirection is followed from https to https only, a few times; a user name and password in the address go to its
 * own host and nowhere else. Proxies are those that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`).
 * Invariants: never more bytes than the limit are held; no message tells what may be secret in an address. Failing is an
 * answer, not an exception. Not here: what the bytes are.
 */
import type { FileRead } from "./read-file.ts";

/** `idleMs` is for each piece and for the answer to begin, `totalMs` for all. */
export type FetchLimits = { readonly bytesMax: number; readonly idleMs: number; readonly totalMs: number };

const REDIRECTIONS_MAX = 5;

/** Whether a text is an address rather than the name of a file. */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** An address as it may be shown: without user name, password, query and fragment, which may hold keys. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "the address";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Why this is no address to read from; null when it is one. */
export function refusedAddress(address: string): string | null {
  if (!URL.canParse(address)) return "it is no address";
  const { protocol, hostname } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return "it is neither http:// nor https://";
  return hostname === "" ? "it names no host" : null;
}

/** Reads it. Throws the signal's reason only. */
export async function fetchWhole(address: string, limits: FetchLimits, signal: AbortSignal): Promise<FileRead> {
  const stop = new AbortController();
  let late: string | null = null;
  const after = (ms: number, what: string) =>
    setTimeout(() => {
      late ??= `${what} for ${Math.round(ms / 1_000)} s`;
      stop.abort();
    }, ms);
  const total = after(limits.totalMs, "it was not done");
  let idle = after(limits.idleMs, NOTHING_CAME);
  const alive = (): void => {
    clearTimeout(idle);
    idle = after(limits.idleMs, NOTHING_CAME);
  };
  try {
    return await read(address, limits.bytesMax, alive, AbortSignal.any([signal, stop.signal]));
  } catch (error) {
    signal.throwIfAborted();
    return problem(late ?? connectionWords(error));
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    // Whatever is still on its way is not waited for.
    stop.abort();
  }
}

const NOTHING_CAME = "nothing came";

async function read(address: string, bytesMax: number, alive: () => void, signal: AbortSignal): Promise<FileRead> {
  let url = new URL(address);
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(withoutUser(url).href, {
      redirect: "manual",
      headers: { "accept-encoding": "identity", "user-agent": "cra", ...authorization(url) },
      // Bytes are counted as they come; what a server packs must not unpack to more.
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
    if (response.status !== 200) return problem(`the server answers with status ${response.status}`);
    return await bodyOf(response, bytesMax, alive);
  }
}

async function bodyOf(response: Response, bytesMax: number, alive: () => void): Promise<FileRead> {
  const tooLong = problem(`it is longer than ${bytesMax} bytes`);
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
  if (promised > length) return problem("the connection was closed before all of it had come");
  return { kind: "bytes", bytes: Buffer.concat(pieces) };
}

/** Where an answer sends on to, or why that is not followed. */
export function redirection(from: URL, location: string | null, hops: number): URL | string {
  if (hops >= REDIRECTIONS_MAX) return "it is redirected too often";
  if (location === null || !URL.canParse(location, from.href)) return "it is redirected to no address";
  const next = new URL(location, from);
  if (from.protocol !== "https:" || next.protocol !== "https:")
    return "it is redirected, which is followed from https:// to https:// only";
  // Who may see a password is told by the user, not by a server.
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
  const [user, secret] = [username, password].map(plainOf);
  return { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` };
}

function plainOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded; // A lone percent sign stands for itself.
  }
}

const problem = (why: string): FileRead => ({ kind: "problem", why });

/** What went wrong in words of our own, as those of the system may hold the address. */
function connectionWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (
    WORDS.get(code) ??
    (/^[A-Z][A-Za-z_]{2,60}$/.test(code) ? `the connection failed (${code})` : "the connection failed")
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["ConnectionRefused", "connection refused"],
  ["ConnectionClosed", "the connection was closed"],
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "the connection was closed"],
  ["ENOTFOUND", "there is no host of that name"],
  ["FailedToOpenSocket", "there is no host of that name, or no way to it"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is not trusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate is not trusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
]);
