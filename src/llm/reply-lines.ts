/**
 * Reads the lines of a streamed chat, one JSON object each.
 *
 * Only what cra uses is kept of a line, and only when it has the right type; the rest is dropped. Bytes come in pieces
 * that may end anywhere. Not here: what a line means for the call (`bounded-http.ts`).
 */
import { z } from "zod";
import { display } from "../text/display.ts";

/** Counts are tokens. `doneReason` is the server's word: `stop`, `length`, `load`. */
const Part = z.object({
  message: z.object({ content: z.string().default(""), thinking: z.string().optional() }).default({ content: "" }),
  done: z.boolean().default(false),
  done_reason: z.string().max(100).optional(),
  prompt_eval_count: z.int().min(0).optional().catch(undefined),
  eval_count: z.int().min(0).optional().catch(undefined),
});

const ErrorLine = z.object({ error: z.string() });

export type ReplyPart = z.infer<typeof Part>;

export type ReplyLine =
  | { readonly kind: "part"; readonly part: ReplyPart }
  /** The server gave up; `why` is its word, one line, safe to print. */
  | { readonly kind: "error"; readonly why: string }
  /** Not a line of a chat. `start` shows how it begins, safe to print. */
  | { readonly kind: "unreadable"; readonly start: string };

const WORDS_MAX = 300;

/** Words of the server, made safe and short. */
export function serverWords(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const short = line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX).toWellFormed()}…` : line;
  return display(short);
}

/** Reads one line without its line end. Never throws. */
export function readLine(text: string): ReplyLine {
  const value = parsed(text);
  const error = ErrorLine.safeParse(value);
  if (error.success) return { kind: "error", why: serverWords(error.data.error) };
  const part = Part.safeParse(value);
  return part.success
    ? { kind: "part", part: part.data }
    : { kind: "unreadable", start: serverWords(text.slice(0, 40)) };
}

/** The error that a JSON body names, null when it names none. */
export function errorIn(body: string): string | null {
  const error = ErrorLine.safeParse(parsed(body));
  return error.success ? serverWords(error.data.error) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Cuts bytes into lines; `add` gives those that a piece completes, `rest` what is left at the end. Blank ones are left out. */
export type LineCutter = {
  add(piece: Uint8Array): readonly string[];
  rest(): readonly string[];
};

/** Starts at the beginning of a line. Bytes that are not UTF-8 become U+FFFD. */
export function lineCutter(): LineCutter {
  let open: Uint8Array[] = [];
  const close = (): string => {
    const text = Buffer.concat(open).toString("utf8");
    open = [];
    return text;
  };
  const notBlank = (line: string): boolean => line.trim() !== "";
  return {
    add(piece) {
      const lines: string[] = [];
      let from = 0;
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
        // Line ends alone cost nothing, however many come.
        if (end > from || open.length > 0) {
          open.push(piece.subarray(from, end));
          lines.push(close());
        }
        from = end + 1;
      }
      if (from < piece.length) open.push(piece.subarray(from));
      return lines.filter(notBlank);
    },
    rest: () => [close()].filter(notBlank),
  };
}
