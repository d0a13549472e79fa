/**
 * Reads the address of a store as a user types it: `postgres://user@host:port/database`, or `postgres://user@/database?host=/run/postgresql`
 * for a socket.
 *
 * An address never holds a password: it would be seen in the list of processes and in a shell's history. Other hosts than this machine are
 * reached with a checked certificate, unless the address says `sslmode=disable`.
 */
import { display } from "../text/display.ts";
import { isLoopback } from "../text/loopback.ts";

/** `socket` is the folder of a Unix socket, null for a network address. `shown` is safe to print and record. */
export type StoreAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly socket: string | null;
  /** "verify-ca" does not compare the host's name. */
  readonly encryption: "off" | "verify-ca" | "verify-full";
  /** A file with the certificates of authorities to trust; null for those of the system. */
  readonly authorities: string | null;
  readonly isLocal: boolean;
  readonly shown: string;
};

/** `why` is one line that does not repeat the address; `next` says what to type. */
type StoreAddressReading =
  | { readonly ok: true; readonly address: StoreAddress }
  | { readonly ok: false; readonly why: string; readonly next: string };

const PORT = 5432;
const LENGTH_MAX = 2_000;
const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^@/?#]*)@)?(?<place>[^/?#@]*)(?:\/(?<database>[^/?#]*))?(?:\?(?<options>[^#]*))?$/i;
const PLACE = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9_.-]*)(?::(?<port>[0-9]{1,5}))?$/i;

/** Whether a text looks like the address of a store. */
export const isStoreAddress = (text: string): boolean => /^postgres(?:ql)?:/i.test(text);

/** Reads an address. `userDefault` is the user if it names none. Never throws. */
export function readStoreAddress(typed: string, userDefault: string | undefined): StoreAddressReading {
  if (typed.length > LENGTH_MAX) return refused(`is longer than ${LENGTH_MAX} characters`);
  if (display(typed) !== typed || /[\s\\]/.test(typed))
    return refused("contains characters that an address cannot have");
  if (!isStoreAddress(typed)) return refused("does not begin with postgres://");
  if (holdsPassword(typed))
    return {
      ok: false,
      why: "contains a password, which everyone on this machine could read",
      next: "leave it out, and set PGPASSWORD or write it to ~/.pgpass",
    };
  const form = FORM.exec(typed)?.groups;
  const place = PLACE.exec(form?.place ?? "\0")?.groups;
  const options = optionsOf(form?.options ?? "");
  if (form === undefined || place === undefined || options === null) return refused("is not a valid address");
  const [user, database] = [decoded(form.user ?? "") || userDefault, decoded(form.database ?? "")];
  if (user === undefined || user === "") return refused("names no user, and PGUSER is not set");
  if (database === null || database === "") return refused("names no database");
  const socket = options.host ?? null;
  if (socket !== null && !socket.startsWith("/")) return refused("has a host option that is not an absolute folder");
  const host = (place.host ?? "").replaceAll(/^\[|\]$/g, "").toLowerCase();
  if ((host === "") === (socket === null)) return refused(host === "" ? "names no host" : "names two hosts");
  const port = Number(options.port ?? place.port ?? PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return refused("has no valid port");
  const isLocal = socket !== null || isLoopback(host);
  const encryption = encryptionOf(options.sslmode, isLocal);
  if (encryption === null)
    return {
      ok: false,
      why: `has sslmode=${options.sslmode}, which does not check who answers`,
      next: "use sslmode=verify-full (the default), verify-ca, or disable",
    };
  const where = socket === null ? `${place.host}:${port}` : `${socket}:${port}`;
  const shown = `postgres://${user}@${where}/${database}`;
  const authorities = options.sslrootcert ?? null;
  return {
    ok: true,
    address: { host, port, user, database, socket, encryption, authorities, isLocal, shown },
  };
}

/** An address without its password and options, for messages about one that cannot be read. */
export const shownStoreAddress = (typed: string): string =>
  display(typed.replace(/^([a-z]+:\/\/).*@/is, "$1").replace(/[?#].*$/s, ""));

/** Whether a password stands in the address, even one that breaks it. */
const holdsPassword = (typed: string): boolean =>
  /^[a-z]+:\/\/[^/?#@]*:[^@]*@/i.test(typed) || /[?&]password=/i.test(typed);

type Options = Partial<Record<"host" | "port" | "sslmode" | "sslrootcert", string>>;

function optionsOf(text: string): Options | null {
  const options: Options = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name !== "host" && name !== "port" && name !== "sslmode" && name !== "sslrootcert") return null;
    options[name] = value;
  }
  return options;
}

function encryptionOf(mode: string | undefined, isLocal: boolean): StoreAddress["encryption"] | null {
  if (mode === undefined) return isLocal ? "off" : "verify-full";
  if (mode === "disable") return "off";
  return mode === "verify-full" || mode === "verify-ca" ? mode : null;
}

/** Null for what no encoding gives. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const refused = (why: string): StoreAddressReading => ({
  ok: false,
  why,
  next: "give an address like postgres://user@host/database",
});
