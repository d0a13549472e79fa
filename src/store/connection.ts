/**
 * A connection to PostgreSQL, or to an engine that speaks its protocol: statements with values, each row validated.
 *
 * Errors become failures that say what to do and repeat nothing of a password. A transaction that lost against another one is
 * tried again.
 */
import { SQL } from "bun";
import type { z } from "zod";
import { readBounded } from "../config/read-files.ts";
import { Failed } from "../failure.ts";
import { CONNECTION_WORDS, errorCode } from "../text/system-errors.ts";
import type { StoreAddress } from "./address.ts";

/** A value of a statement. Statements state its type: `$1::bytea`. */
type StoreValue = string | number | boolean | null | Uint8Array;

export type Connection = {
  /** The address to show. */
  readonly shown: string;
  /** The rows of a statement. A row of another form throws `store-refused`. */
  rows<Row>(form: z.ZodType<Row>, sql: string, values?: readonly StoreValue[]): Promise<readonly Row[]>;
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, values?: readonly StoreValue[]): Promise<number>;
  /** Runs `work` in one transaction; again if another transaction was in its way. */
  transaction<Result>(work: (inside: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** A list of texts without quotes and braces, such as hashes, as one value: `$1::text[]`. */
export const textList = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;

const CONNECT_SECONDS = 15;
/** A statement that takes longer is given up: whoever answers is not a store. */
const STATEMENT_MS = 300_000;
const TRIES_MAX = 6;
const RETRY_MS = 40;

/** Opens a connection when the first statement needs it. Aborting the signal ends it. Throws `io` for a file that cannot be read. */
export function connect(address: StoreAddress, password: string | null, signal: AbortSignal): Connection {
  const { shown, socket, host, port, user, database } = address;
  const pool = new SQL({
    adapter: "postgres",
    ...(socket === null ? { hostname: host, port } : { path: `${socket}/.s.PGSQL.${port}` }),
    username: user,
    database,
    password: password ?? "",
    max: 1,
    idleTimeout: 0,
    connectionTimeout: CONNECT_SECONDS,
    // A pool of connections in between may hand each statement to another session.
    prepare: false,
    tls: encryptionOf(address),
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    signal.removeEventListener("abort", stop);
    await pool.close({ timeout: 0 }).catch(() => undefined);
  };
  const stop = (): void => void close();
  signal.addEventListener("abort", stop);
  const ask = statements(shown, signal, (sql, values) => pool.unsafe(sql, values));
  return {
    shown,
    ...ask,
    transaction: async (work) => {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        try {
          return await pool.begin(async (inside) => {
            const nested: Connection = {
              shown,
              ...statements(shown, signal, (sql, values) => inside.unsafe(sql, values)),
              transaction: (more) => more(nested),
              close: async () => undefined,
            };
            return await work(nested);
          });
        } catch (error) {
          signal.throwIfAborted();
          if (!isRetryable(error) || tries >= TRIES_MAX) throw asFailed(error, shown);
          await Bun.sleep(RETRY_MS * tries);
        }
      }
    },
    close,
  };
}

type Ask = (sql: string, values: StoreValue[]) => PromiseLike<unknown>;

function statements(shown: string, signal: AbortSignal, ask: Ask): Pick<Connection, "rows" | "run"> {
  const answer = async (sql: string, values: readonly StoreValue[]): Promise<unknown> => {
    signal.throwIfAborted();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(unreachable(shown, "it does not answer")), STATEMENT_MS);
    try {
      return await Promise.race([ask(sql, [...values]), late.promise]);
    } catch (error) {
      signal.throwIfAborted();
      throw asFailed(error, shown);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async rows(form, sql, values = []) {
      const found = await answer(sql, values);
      return (Array.isArray(found) ? found : []).map((row: unknown) => {
        const read = form.safeParse(row);
        if (read.success) return read.data;
        throw storeRefused(shown, "a row has another form than cra writes");
      });
    },
    async run(sql, values = []) {
      const done = await answer(sql, values);
      return typeof done === "object" && done !== null && "count" in done ? Number(done.count) : 0;
    },
  };
}

/** What Bun's client is told about encryption. Never the environment's: everything is stated. */
function encryptionOf({ encryption, authorities, host, shown }: StoreAddress) {
  if (encryption === "off") return false;
  const ca = authorities === null ? {} : { ca: readAuthorities(authorities, shown) };
  const anyName = encryption === "verify-ca" ? { checkServerIdentity: () => undefined } : {};
  return { rejectUnauthorized: true, serverName: host, ...ca, ...anyName };
}

/** All authorities that a system trusts take less than a megabyte. */
const AUTHORITIES_BYTES_MAX = 16 * 1024 * 1024;

function readAuthorities(file: string, shown: string): string {
  const text = namedText(file);
  if (text !== null) return text;
  const message = "the certificates of sslrootcert cannot be read";
  throw new Failed({ code: "io", message, where: shown, next: "name a readable file of certificates" });
}

function namedText(file: string): string | null {
  try {
    return readBounded(file, true, AUTHORITIES_BYTES_MAX);
  } catch {
    return null; // What cannot be read is refused as what is not there.
  }
}

/** Something in the store, or the store itself, is not what cra trusts. */
export const storeRefused = (
  where: string,
  why: string,
  next = "push the commit again: cra push --again, or ask who runs the store",
): Failed => new Failed({ code: "store-refused", where, why, next });

const unreachable = (where: string, why: string): Failed =>
  new Failed({ code: "store-unavailable", where, why, next: "check the address, and that PostgreSQL runs there" });

/** SQLSTATE of PostgreSQL (appendix A): a transaction lost against another one. */
const LOST = new Set(["40001", "40P01", "CR000"]);

const isRetryable = (error: unknown): boolean =>
  LOST.has(stateOf(error)) || (error instanceof Failed && isRetryable(error.cause));

/** The server ends or starts, or has no connection left. Other states say that it is there and refuses. */
const AWAY = new Set(["", "57P01", "57P02", "57P03", "53300"]);

/** Whether an error says that the server cannot be reached now, so that asking again later may help. */
export const isAway = (error: unknown): error is Failed =>
  error instanceof Failed && error.failure.code === "store-unavailable" && AWAY.has(stateOf(error.cause));

/** What is wrong with a database without a store in it, and what to do. */
export const NO_STORE = { why: "there is no store in it", next: "run: cra store init" } as const;

const WORDS: Readonly<Record<string, readonly [why: string, next: string]>> = {
  "28P01": ["the password is missing or wrong", "set PGPASSWORD, or write it to ~/.pgpass (readable by you only)"],
  "28000": ["the server does not let this user in", "check the user and the server's pg_hba.conf"],
  "3D000": ["there is no such database", "create it, then run: cra store init"],
  "42501": ["the role may not do this", "use a role with more rights (docs/team.md)"],
  "42P01": [NO_STORE.why, NO_STORE.next],
  "3F000": [NO_STORE.why, NO_STORE.next],
  "53300": ["it has no connection left", "try again later"],
  "57P03": ["it is starting up or shutting down", "try again later"],
};

function asFailed(error: unknown, shown: string): unknown {
  if (error instanceof Failed || !(error instanceof Error)) return error;
  const state = stateOf(error);
  const [why, next] = WORDS[state] ?? [];
  if (why !== undefined)
    return new Failed({ code: "store-unavailable", where: shown, why, next: next ?? "" }, { cause: error });
  if (state !== "") {
    const message = `PostgreSQL says: ${error.message}`;
    return new Failed(
      { code: "store-unavailable", where: shown, why: message, next: "check the store" },
      { cause: error },
    );
  }
  const code = errorCode(error) ?? "";
  return new Failed(
    {
      code: "store-unavailable",
      where: shown,
      why: connectionWords(code, error.message),
      next: NEXT[code] ?? "check the address, and that PostgreSQL runs there",
    },
    { cause: error },
  );
}

const NEXT: Readonly<Record<string, string>> = {
  ERR_POSTGRES_TLS_NOT_AVAILABLE: "let it use TLS, or add ?sslmode=disable if nobody can listen in between",
};

function connectionWords(code: string, message: string): string {
  if (code === "ERR_POSTGRES_TLS_NOT_AVAILABLE") return "it does not encrypt";
  if (code === "ERR_POSTGRES_CONNECTION_REFUSED") return "it cannot be reached";
  if (code.startsWith("ERR_POSTGRES_CONNECTION")) return "the connection was closed";
  const words = CONNECTION_WORDS.find(([known]) => known === code)?.[1];
  if (words === undefined && /certificate|self.signed|hostname|altname/i.test(`${code} ${message}`))
    return `its certificate is not trusted (${code || message})`;
  return words ?? `it cannot be used (${code || message})`;
}

/** SQLSTATE, or "". */
const stateOf = (error: unknown): string =>
  error instanceof Error && "errno" in error && typeof error.errno === "string" && /^[0-9A-Z]{5}$/.test(error.errno)
    ? error.errno
    : "";
