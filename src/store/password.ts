/** Finds the password of a store where PostgreSQL's own programs look: `PGPASSWORD`, then `PGPASSFILE` or `~/.pgpass`. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables } from "../config/variables.ts";
import type { StoreAddress } from "./address.ts";

const FILE_BYTES_MAX = 1024 * 1024;

/** Null if there is none, or the file that holds it can be read by others. */
export function storePassword(address: StoreAddress, variables: Variables): string | null {
  const given = variables.PGPASSWORD;
  if (given !== undefined && given !== "") return given;
  const home = variables.HOME;
  const file = variables.PGPASSFILE ?? (home === undefined ? null : join(home, ".pgpass"));
  return file === null ? null : passwordIn(file, address);
}

function passwordIn(file: string, { host, socket, port, database, user }: StoreAddress): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > FILE_BYTES_MAX || (stat.mode & 0o077) !== 0) return null;
  const wanted = [socket === null ? host : "localhost", String(port), database, user];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("#")) continue;
    const fields = fieldsOf(line);
    const password = fields[wanted.length];
    if (password !== undefined && wanted.every((value, at) => fields[at] === "*" || fields[at] === value))
      return password;
  }
  return null;
}

/** The fields of a line, where a backslash escapes a colon or itself. */
const fieldsOf = (line: string): readonly string[] =>
  (line.replace(/\r$/, "").match(/(?:^|:)(?:\\.|[^:\\])*/g) ?? []).map((field) =>
    field.replace(/^:/, "").replaceAll(/\\(.)/g, "$1"),
  );
