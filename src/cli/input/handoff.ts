/** Reads the failure that `--handoff` or `--trace` names, from a file or from standard input. */
import { resolve } from "node:path";
import { withoutCutFirst } from "../../escalation/cut-secrets.ts";
import { failureInLog, LOG_BYTES_MAX } from "../../escalation/failure-log.ts";
import { HANDOFF_BYTES_MAX, type HandoffBundle, readHandoffBundle } from "../../escalation/handoff-bundle.ts";
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { encodingOf, MARK_BYTES } from "./input.ts";
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
  if (text === null) {
    // What a shell opens for `<(command)` does not reach the process.
    const next = /^\/(?:dev|proc)\//.test(file) ? { next: "pipe it in, and name it -" } : {};
    throw new Failed({ code: "usage", message: `${flag}: there is no file ${file}`, ...next });
  }
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

/** The last bytes of a file, from a whole line on; null when there is no file. Throws a usage failure when it cannot be read. */
export async function endOfFile(path: string, bytesMax: number): Promise<string | null> {
  try {
    const file = Bun.file(path);
    const stat = await file.stat();
    if (!stat.isFile()) throw new Failed({ code: "usage", message: `${path} is not a regular file` });
    const start = Math.max(0, stat.size - bytesMax);
    return textFrom(await file.slice(0, MARK_BYTES).bytes(), await file.slice(start, stat.size).bytes(), start);
  } catch (error) {
    if (error instanceof Failed) throw error;
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new Failed(
      { code: "usage", message: `${path} cannot be read: ${systemErrorWords(error)}` },
      { cause: error },
    );
  }
}

/** The end of a stream; the rest is not kept in memory. */
export async function endOfStream(chunks: AsyncIterable<Uint8Array | string>, bytesMax: number): Promise<string> {
  const kept: Buffer[] = [];
  let [head, keptBytes, total] = [Buffer.alloc(0), 0, 0];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    if (head.length < MARK_BYTES) head = Buffer.concat([head, bytes.subarray(0, MARK_BYTES)]);
    kept.push(bytes);
    [keptBytes, total] = [keptBytes + bytes.length, total + bytes.length];
    for (let first = kept[0]; first !== undefined && keptBytes - first.length >= bytesMax; first = kept[0]) {
      keptBytes -= first.length;
      kept.shift();
    }
  }
  const end = Buffer.concat(kept).subarray(-bytesMax);
  return textFrom(head, end, total - end.length);
}

/** Bytes of another encoding become U+FFFD. `start` is the number of bytes before `end`. */
function textFrom(head: Uint8Array, end: Uint8Array, start: number): string {
  const encoding = encodingOf(head);
  const isHalf = encoding !== "utf-8" && start % 2 === 1;
  const text = new TextDecoder(encoding).decode(isHalf ? end.subarray(1) : end);
  return start === 0 ? text : withoutCutFirst(text);
}
