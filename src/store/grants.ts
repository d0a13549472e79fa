/** Who may ask a server, and about which repositories. Tokens are stored as hashes: whoever reads the store cannot use one. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../text/parse-json.ts";
import type { Connection } from "./connection.ts";
import { matchesPattern } from "./grant-pattern.ts";
import { NOW } from "./schema.ts";

/** `repositories` are names, in which `*` stands for any letters. Times are milliseconds since 1970; null never ends. */
export type Grant = {
  readonly name: string;
  readonly repositories: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
};

export type GrantStore = {
  /** Makes a token, which is shown this once. A grant of the same name is replaced, and its token is of no use any more. */
  add(name: string, repositories: readonly string[], days: number | null): Promise<string>;
  /** False if there is none. */
  remove(name: string): Promise<boolean>;
  list(): Promise<readonly Grant[]>;
  /** The grant of a token; null for an unknown or expired one. */
  find(token: string): Promise<Grant | null>;
};

const PREFIX = "cra_";
const TOKEN_BYTES = 32;
const TOKEN = /^cra_[A-Za-z0-9_-]{43}$/;
const DAY_MS = 86_400_000;

/** The hash of a token, as it is stored. A token is random, so that a plain hash cannot be guessed. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Whether a grant includes a repository. */
export const isGranted = ({ repositories }: Pick<Grant, "repositories">, name: string): boolean =>
  repositories.some((pattern) => matchesPattern(pattern, name));

/** A name of a grant: one word. */
export const isGrantName = (name: string): boolean => /^[A-Za-z0-9_.@+-]{1,100}$/.test(name);

const Row = z
  .object({
    name: z.string(),
    repositories: z.string(),
    created_at: z.coerce.number(),
    expires_at: z.coerce.number().nullable(),
  })
  .transform(
    (row): Grant => ({
      name: row.name,
      repositories: z.array(z.string()).safeParse(parseJson(row.repositories)).data ?? [],
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }),
  );

const SELECT = "select name, repositories, created_at, expires_at from cra.grants";

export const grantStore = (connection: Connection): GrantStore => ({
  async add(name, repositories, days) {
    const token = PREFIX + randomBytes(TOKEN_BYTES).toString("base64url");
    const lasts = days === null ? "null" : `${NOW} + $4::bigint`;
    await connection.transaction(async (inside) => {
      await inside.run("delete from cra.grants where name = $1::text", [name]);
      await inside.run(
        `insert into cra.grants(token_hash, name, repositories, created_at, expires_at)
         values ($1::text, $2::text, $3::text, ${NOW}, ${lasts})`,
        [tokenHash(token), name, JSON.stringify(repositories), ...(days === null ? [] : [days * DAY_MS])],
      );
    });
    return token;
  },
  remove: async (name) => (await connection.run("delete from cra.grants where name = $1::text", [name])) > 0,
  list: () => connection.rows(Row, `${SELECT} order by name`),
  async find(token) {
    if (!TOKEN.test(token)) return null;
    const rows = await connection.rows(
      Row,
      `${SELECT} where token_hash = $1::text and (expires_at is null or expires_at > ${NOW})`,
      [tokenHash(token)],
    );
    return rows[0] ?? null;
  },
});
