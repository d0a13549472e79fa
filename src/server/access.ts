/**
 * Who may read which repository: bearer tokens, known by their SHA-256 only, with the repositories that each may read.
 *
 * Pure. A repository that is not granted is treated as one that does not exist.
 */
import { createHash } from "node:crypto";

/** `name` is for the log. `repositories` are names, or beginnings of names with `*` at their end; `*` alone grants all. */
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

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

export const isGranted = ({ repositories }: Pick<Caller, "repositories">, name: string): boolean =>
  repositories.some((granted) => (granted.endsWith("*") ? name.startsWith(granted.slice(0, -1)) : name === granted));

/** Tokens with equal hashes have the grants of all their rows. */
export function accessOf(grants: readonly Grant[]): Access {
  const byHash = Map.groupBy(grants, ({ tokenHash }) => tokenHash);
  return {
    async callerOf(authorization) {
      const token = bearerToken(authorization);
      const rows = token === null ? undefined : byHash.get(hashOfToken(token));
      if (rows === undefined) return null;
      return { name: rows[0]?.name ?? "", repositories: rows.flatMap(({ repositories }) => repositories) };
    },
  };
}

/** Whoever can reach the server may read everything that it has. */
export const OPEN_ACCESS: Access = { callerOf: async () => ({ name: "anyone", repositories: ["*"] }) };
