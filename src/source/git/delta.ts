/** Applies a delta of a git pack to its base (gitformat-pack(5)). */
import { damagedObject, tooLarge } from "./inflate.ts";

const COPY_BYTES_DEFAULT = 0x10000;

/**
 * The result, of at most `bytesMax` bytes. The size is stated first and checked before anything is copied, and no step writes
 * beyond it. Throws for a delta that is damaged or belongs to another base.
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array, bytesMax: number): Buffer {
  const from = sizeAt(delta, 0);
  const to = sizeAt(delta, from.next);
  if (to.value > bytesMax) throw tooLarge();
  if (from.value !== base.length) throw damagedObject();
  const result = Buffer.alloc(to.value);
  let written = 0;
  let at = to.next;
  while (at < delta.length) {
    const command = delta[at++] ?? 0;
    if (command === 0) throw damagedObject();
    let [start, length] = [0, command];
    let source = delta;
    if (command >= 0x80) {
      for (let byte = 0; byte < 4; byte++)
        if ((command & (1 << byte)) !== 0) start += (delta[at++] ?? 0) * 2 ** (8 * byte);
      length = 0;
      for (let byte = 0; byte < 3; byte++)
        if ((command & (0x10 << byte)) !== 0) length += (delta[at++] ?? 0) * 2 ** (8 * byte);
      if (length === 0) length = COPY_BYTES_DEFAULT;
      source = base;
    } else {
      start = at;
      at += length;
    }
    if (start + length > source.length || written + length > result.length) throw damagedObject();
    result.set(source.subarray(start, start + length), written);
    written += length;
  }
  if (written !== result.length) throw damagedObject();
  return result;
}

/** A number in groups of seven bits, the lowest first. */
function sizeAt(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let [value, scale] = [0, 1];
  for (let at = from; at < bytes.length && scale <= 2 ** 42; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: at + 1 };
    scale *= 128;
  }
  throw damagedObject();
}
