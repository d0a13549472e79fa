/**
 * Who may read which repository: bearer tokens, known by their SHA-256 only, with the repositories that each may read.
 *
 * A repository that is not granted is treated as one that does not exist.
 */
import { tokenHash } from "../store/grants.ts";

/** `name` is for the log. `repositories` are names, in which `*` stands for any letters (`isGranted` of the store). */
export type Grant = {
  readonly name: string;
  /** The SHA-256 of the token, in lower-case hexadecimal. */
  readonly tokenHash: string;
  readonly repositories: readonly string[];
};

/** Who asks. */
export type Caller = { readonly name: string; readonly repositories: readonly string[] };

/** Finds who asks by the header `Authorization`; null for nobody known. */
export type Access = { callerOf(authorization: string | null): Promise<Caller | null> };

/** No token that a program makes is longer. */
const TOKEN_CHARS_MAX = 512;
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** The token in a header; null without one. */
export function bearerToken(authorization: string | null): string | null {
  const token = BEARER.exec((authorization ?? "").slice(0, TOKEN_CHARS_MAX + 20))?.[1] ?? "";
  return token === "" || token.length > TOKEN_CHARS_MAX ? null : token;
}

/** Tokens with equal hashes have the grants of all their rows. */
export function accessOf(grants: readonly Grant[]): Access {
  const byHash = Map.groupBy(grants, ({ tokenHash }) => tokenHash);
  return {
    async callerOf(authorization) {
      const token = bearerToken(authorization);
      const rows = token === null ? undefined : byHash.get(tokenHash(token));
      if (rows === undefined) return null;
      return { name: rows[0]?.name ?? "", repositories: rows.flatMap(({ repositories }) => repositories) };
    },
  };
}

/** Whoever can reach the server may read everything that it has. */
export const OPEN_ACCESS: Access = { callerOf: async () => ({ name: "anyone", repositories: ["*"] }) };

/** Grants that are remembered, and for how long: a grant that was taken away ends after that. */
const REMEMBERED_MAX = 10_000;
const REMEMBERED_MS = 5_000;

/** Asks a store for the grant of a token, and remembers what it said for a moment. */
export function accessThrough(grantOf: (token: string) => Promise<Caller | null>, nowMs: () => number): Access {
  const known = new Map<string, { readonly caller: Promise<Caller | null>; readonly untilMs: number }>();
  return {
    async callerOf(authorization) {
      const token = bearerToken(authorization);
      if (token === null) return null;
      const key = tokenHash(token);
      const before = known.get(key);
      if (before !== undefined && nowMs() < before.untilMs) return await before.caller;
      const caller = grantOf(token);
      known.delete(key);
      known.set(key, { caller, untilMs: nowMs() + REMEMBERED_MS });
      if (known.size > REMEMBERED_MAX) for (const oldest of known.keys().take(1)) known.delete(oldest);
      try {
        return await caller;
      } catch (error) {
        known.delete(key);
        throw error;
      }
    },
  };
}
