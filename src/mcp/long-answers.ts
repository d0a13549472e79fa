/**
 * The rests of answers that are longer than clients accept: an answer shows its beginning and links to its rest, which the client reads
 * as a resource. Only the newest are kept, and none outlives the server.
 */
import { ProtocolError } from "@modelcontextprotocol/server";

/** A text that was cut, and the address of what is not shown; no address for a text that fits. */
type Shown = { readonly text: string; readonly rest: { readonly uri: string; readonly chars: number } | null };

export type LongAnswers = {
  /** Keeps what of a text is over the limit. */
  shown(text: string, charsMax: number): Shown;
  /** The addresses that can be read, oldest first. */
  uris(): readonly string[];
  /** Throws the error of the protocol for an address that is not known, or not any more. */
  read(uri: string): string;
};

const KEPT_MAX = 16;
const CHARS_KEPT_MAX = 16_000_000;
const INVALID_PARAMS = -32602;
const PREFIX = "cra://answers/";
/** For the line that says so. */
const NOTE_CHARS = 300;

export function openLongAnswers(): LongAnswers {
  const kept = new Map<string, string>();
  let count = 0;
  return {
    shown(text, charsMax) {
      if (text.length <= charsMax) return { text, rest: null };
      const most = Math.max(0, charsMax - NOTE_CHARS);
      const lineEnd = text.lastIndexOf("\n", most - 1) + 1;
      const at = lineEnd === 0 ? wholeCharacters(text, most) : lineEnd;
      count += 1;
      const uri = `${PREFIX}${count}`;
      const rest = text.slice(at);
      kept.set(uri, rest);
      for (const [oldest] of kept) {
        const chars = kept.values().reduce((sum, { length }) => sum + length, 0);
        if (kept.size <= KEPT_MAX && (chars <= CHARS_KEPT_MAX || kept.size === 1)) break;
        kept.delete(oldest);
      }
      const note = `\nThe answer goes on for ${rest.length} characters: read the resource ${uri}, or ask for less.\n`;
      return { text: `${text.slice(0, at)}${note}`, rest: { uri, chars: rest.length } };
    },
    uris: () => [...kept.keys()],
    read(uri) {
      const found = kept.get(uri);
      if (found !== undefined) return found;
      throw new ProtocolError(INVALID_PARAMS, "there is no such resource, or not any more; call the tool again");
    },
  };
}

/** The position, or the one before it if it is inside of a pair of surrogates. */
const wholeCharacters = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;
