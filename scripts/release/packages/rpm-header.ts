/** Writes a header of an rpm: an index of tags and the store of their values. */

/** `strings` is a list, `text` one string, `i18n` one string for each language of the table. */
export type Field = readonly [tag: number, kind: keyof typeof KINDS, values: readonly (string | number)[] | Uint8Array];

const KINDS = {
  int16: { code: 3, bytes: 2 },
  int32: { code: 4, bytes: 4 },
  text: { code: 6, bytes: 1 },
  binary: { code: 7, bytes: 1 },
  strings: { code: 8, bytes: 1 },
  i18n: { code: 9, bytes: 1 },
} as const;

const MAGIC = Buffer.from("8eade80100000000", "hex");
const ENTRY_BYTES = 16;

/** `region` is the tag that marks the whole header as written at once; fields may come in any order. */
export function rpmHeader(region: number, fields: readonly Field[]): Buffer {
  const entries: Buffer[] = [];
  const store: Buffer[] = [];
  let at = 0;
  for (const [tag, kind, values] of [...fields].sort(([a], [b]) => a - b)) {
    const { code, bytes } = KINDS[kind];
    const gap = -at & (bytes - 1);
    const data = encoded(values, bytes);
    entries.push(words(tag, code, at + gap, values.length));
    store.push(Buffer.alloc(gap), data);
    at += gap + data.length;
  }
  const size = entries.length + 1;
  const regionEntry = words(region, KINDS.binary.code, at, ENTRY_BYTES);
  const trailer = words(region, KINDS.binary.code, -size * ENTRY_BYTES, ENTRY_BYTES);
  return Buffer.concat([MAGIC, words(size, at + ENTRY_BYTES), regionEntry, ...entries, ...store, trailer]);
}

function encoded(values: Field[2], bytes: number): Buffer {
  if (values instanceof Uint8Array) return Buffer.from(values);
  return Buffer.concat(
    values.map((value) => {
      if (typeof value === "string") return Buffer.from(`${value}\0`);
      const number = Buffer.alloc(bytes);
      number.writeUIntBE(value, 0, bytes);
      return number;
    }),
  );
}

/** Numbers of four bytes, the highest first. */
function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number | 0, 4 * index);
  return bytes;
}
