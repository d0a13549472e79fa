/** Holds the text of a reply to its bounds as it comes: its length, and blanks in a row. Not here: bytes on the wire. */
import type { ModelLimits } from "./limits.ts";

/** A reply so far. */
export type GrowingReply = {
  /** Adds a piece; false when the reply is past a bound with it, and nothing more may be added. */
  add(piece: string): boolean;
  /** What was said, at most one piece past the bound. */
  readonly text: string;
  /** Its length in UTF-8. */
  readonly bytes: number;
};

/** An empty reply. */
export function growingReply({
  replyBytesMax,
  blanksMax,
}: Pick<ModelLimits, "replyBytesMax" | "blanksMax">): GrowingReply {
  const longRun = new RegExp(`\\s{${blanksMax + 1}}`);
  let text = "";
  let bytes = 0;
  let blanks = "";
  return {
    add(piece) {
      text += piece;
      bytes += Buffer.byteLength(piece);
      const run = blanks + piece;
      if (bytes > replyBytesMax || longRun.test(run)) return false;
      blanks = /\s*$/.exec(run)?.[0] ?? "";
      return true;
    },
    get text() {
      return text;
    },
    get bytes() {
      return bytes;
    },
  };
}
