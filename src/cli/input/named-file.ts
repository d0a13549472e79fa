/** Files that options name, and the JSON in them. */
import { resolve } from "node:path";
import { readBounded } from "../../config/read-files.ts";
import { Failed } from "../../failure.ts";
import { parseJson } from "../../text/parse-json.ts";

/** The text of the file that an option or setting names. Throws a usage failure if there is none, a config failure if it is unreadable. */
export function readNamedFile(namedBy: string, file: string, cwd: string, bytesMax: number): string {
  const text = readBounded(resolve(cwd, file), true, bytesMax);
  if (text === null) throw new Failed({ code: "usage", message: `${namedBy}: there is no file ${file}` });
  return text;
}

/** Parses JSON, with or without a byte order mark. Throws a usage failure that names the schema. */
export function parseNamedJson(text: string, where: string, schema: string): unknown {
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (value === undefined)
    throw new Failed({ code: "usage", message: `${where} is not JSON`, next: `see: cra schema ${schema}` });
  return value;
}
