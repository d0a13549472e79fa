/**
 * The address to listen on, and the names by which a request may call the server.
 *
 * A page on the web can have its own name resolve to this machine and send requests here. Such a request names that page's host in
 * `Host` and `Origin`, so both must be names of this server.
 */
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { Failed } from "../failure.ts";
import { isLoopback } from "../text/loopback.ts";

/** `host` without brackets. */
export type Address = { readonly host: string; readonly port: number };

const PORT_MAX = 65_535;
const ADDRESS = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[A-Za-z0-9.-]+)):(?<port>\d{1,5})$/;
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253})$/;

/** Throws a usage failure for anything but `host:port`. */
export function readAddress(typed: string): Address {
  const { six, host, port } = ADDRESS.exec(typed)?.groups ?? {};
  const number = Number(port);
  if (port !== undefined && number <= PORT_MAX) return { host: six ?? host ?? "", port: number };
  throw new Failed({
    code: "usage",
    message: `--listen: ${JSON.stringify(typed.slice(0, 100))} is not an address and port`,
    next: "such as --listen 127.0.0.1:7420 or [::1]:7420",
  });
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const ANY = ["0.0.0.0", "::"];

/** The names by which requests may call the server. Throws a usage failure for one that is not the name of a host. */
export function namesOf(address: Address, allowed: readonly string[]): readonly string[] {
  const wrong = allowed.find((name) => !HOST.test(name));
  if (wrong !== undefined)
    throw new Failed({
      code: "usage",
      message: `--allow-host: ${JSON.stringify(wrong.slice(0, 100))} is not the name of a host`,
      next: "give the name without scheme and port, such as cra.example.org",
    });
  const { host } = address;
  const own = host.includes(":") ? `[${host}]` : host;
  const names = ANY.includes(host) || isLoopback(host) ? LOOPBACK_NAMES : [];
  return [...new Set([own, ...names, ...allowed].map((name) => name.toLowerCase()))];
}

/** Headers that come twice are joined with a comma, which no host has in its name. */
export const hasSeveralHosts = (headers: Headers): boolean => headers.get("host")?.includes(",") === true;

/** Why a request is not for this server; null if it is. */
export function strangeHeaders(headers: Headers, names: readonly string[]): string | null {
  const lower = (name: string): string | null => headers.get(name)?.toLowerCase() ?? null;
  if (!validateHostHeader(lower("host"), [...names]).ok) return "the header Host does not name this server";
  if (!validateOriginHeader(lower("origin"), [...names]).ok) return "the header Origin does not name this server";
  return null;
}
