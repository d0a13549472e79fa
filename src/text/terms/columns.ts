/** Columns of numbers that grow. */

/** A column of `size` numbers that begins with these. */
export function longer(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(column);
  return larger;
}

/** Room for `count` bytes at least that begins with these. */
export function enlarged(chars: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(2 * chars.length, count));
  larger.set(chars);
  return larger;
}
