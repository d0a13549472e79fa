/**
 * Decodes the bytes of a file as text, or reports that they are binary.
 *
 * In this order: a byte order mark determines the encoding and is removed; a NUL in the first 8 KiB means binary (as in
 * ripgrep and git); valid UTF-8 is text; anything else is read as Latin-1, one character per byte, and flagged `lossy`.
 *
 * Invariants: line ends are kept; decoding never produces U+FFFD (one that the file itself contains, correctly encoded,
 * stays); every input has a result.
 */
import { isAscii } from "node:buffer";

/** The text of a file. `lossy`: the encoding is unknown, so characters beyond ASCII may be wrong. */
type Decoded = { readonly kind: "text"; readonly text: string; readonly lossy: boolean } | { readonly kind: "binary" };

/** Bytes searched for a NUL (git searches 8,000, ripgrep its first buffer). */
export const BINARY_PROBE_BYTES = 8 * 1024;

/** Decodes a whole file. Never throws. */
export function decode(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return decodeUnmarked(bytes.subarray(3));
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16("utf-16le", bytes.subarray(2));
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16("utf-16be", bytes.subarray(2));
  return decodeUnmarked(bytes);
}

function decodeUnmarked(bytes: Uint8Array): Decoded {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return { kind: "binary" };
  const text = decodeStrictly("utf-8", bytes);
  if (text !== null) return { kind: "text", text, lossy: false };
  // Buffer's latin1 maps every byte to the code point of its value; TextDecoder's is windows-1252.
  return {
    kind: "text",
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
    lossy: true,
  };
}

/** Half a surrogate pair or an odd byte at the end makes the file binary: a guess would be wrong everywhere. */
function decodeUtf16(encoding: "utf-16le" | "utf-16be", bytes: Uint8Array): Decoded {
  const text = decodeStrictly(encoding, bytes);
  if (text === null || text.slice(0, BINARY_PROBE_BYTES / 2).includes("\0")) return { kind: "binary" };
  return { kind: "text", text, lossy: false };
}

/** Made once: making one takes longer than decoding a file. */
const DECODERS = {
  "utf-8": new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }),
  "utf-16le": new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true }),
  "utf-16be": new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true }),
} as const;

function decodeStrictly(encoding: keyof typeof DECODERS, bytes: Uint8Array): string | null {
  try {
    return DECODERS[encoding].decode(bytes);
  } catch {
    return null;
  }
}

/** Whether the bytes are a text in ASCII, which is what `decode` makes of them. */
export const isAsciiText = (bytes: Uint8Array): boolean =>
  isAscii(bytes) && !bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, at) => bytes[at] === byte);
