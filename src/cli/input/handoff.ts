/** Reads the failure that `--handoff` or `--trace` names, from a file or from standard input. */
import { resolve } from "node:path";
import { failureInLog, LOG_BYTES_MAX } from "../../escalation/failure-log.ts";
import { HANDOFF_BYTES_MAX, type HandoffBundle, readHandoffBundle } from "../../escalation/handoff-bundle.ts";
import { Failed } from "../../failure.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { endOfFile, endOfStream } from "./log-tail.ts";
import { readNamedFile } from "./named-file.ts";

/** The failure; null without either option. Throws a usage failure for a file that is missing or cannot be read. */
export async function readHandoff({
  values,
  input,
  environment,
}: Pick<Context, "values" | "input" | "environment">): Promise<HandoffBundle | null> {
  const { flag, file } = namedIn(values);
  if (file === undefined) return null;
  const [isStdin, path] = [file === "-", resolve(environment.cwd, file)];
  const text =
    flag === "--trace"
      ? await (isStdin ? endOfStream(input.bytes(), LOG_BYTES_MAX) : endOfFile(path, LOG_BYTES_MAX))
      : await (isStdin ? input.read(HANDOFF_BYTES_MAX) : readNamedFile(flag, file, environment.cwd, HANDOFF_BYTES_MAX));
  if (text === null) throw new Failed({ code: "usage", message: `${flag}: there is no file ${file}` });
  if (flag === "--handoff") return readHandoffBundle(text, isStdin ? "the handoff bundle" : file);
  if (isBinary(text))
    throw new Failed({ code: "usage", message: `--trace: ${isStdin ? "standard input" : file} is not text` });
  const failure = failureInLog(text);
  if (failure !== null) return failure;
  throw new Failed({ code: "usage", message: `--trace: ${isStdin ? "standard input" : file} is empty` });
}

const PROBE_CHARS = 8_192;

/** Many logs hold a few bytes of another encoding, so up to a tenth is accepted. */
const isBinary = (text: string): boolean =>
  text.slice(0, PROBE_CHARS).replaceAll(/[^\0\ufffd]/g, "").length > Math.min(text.length, PROBE_CHARS) / 10;

/** Throws when both the failure and `other` are "-", as only one of them can read standard input. */
export function checkStdinReader(values: Values, other: string | undefined, what: string): void {
  const { flag, file } = namedIn(values);
  if (file !== "-" || other !== "-") return;
  throw new Failed({
    code: "usage",
    message: `${what} and ${flag} - both want standard input`,
    next: "name a file for one of them",
  });
}

/** The option that was given; the two exclude each other. */
function namedIn(values: Values): { readonly flag: "--handoff" | "--trace"; readonly file: string | undefined } {
  const trace = values.text("--trace");
  return trace === undefined ? { flag: "--handoff", file: values.text("--handoff") } : { flag: "--trace", file: trace };
}

/** The failure for a handoff that says nothing, when nothing else was given. */
export const emptyHandoff = (): Failed =>
  new Failed({
    code: "usage",
    message: "the handoff bundle holds no failure",
    next: "add an error_message or a stack_trace to it",
  });
