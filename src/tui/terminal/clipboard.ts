/**
 * Copies text to the clipboard through the terminal (OSC 52), which also works over a remote connection.
 *
 * Terminals do not report success.
 */

/** Terminals truncate or drop longer data; the smallest known limit is 74,994 bytes of base64. */
const BYTES_MAX = 56_000;

/** The escape sequence, or null if the text is too long for a terminal. */
export function clipboardSequence(text: string): string | null {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length > BYTES_MAX ? null : `\x1b]52;c;${bytes.toString("base64")}\x07`;
}
