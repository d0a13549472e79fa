/**
 * Reads the fields of a protobuf message.
 *
 * Bytes come from outside: every length is checked against what is there, and whatever is not protobuf throws `import-refused`.
 */
import { Failed } from "../../failure.ts";

/** A field: a number, or bytes, which are a text, a message, or packed numbers. */
type WireField =
  | { readonly field: number; readonly value: number; readonly bytes: null }
  | { readonly field: number; readonly value: null; readonly bytes: Uint8Array };

/** Fields in their order. Numbers above 2^53 lose their lowest digits; no field of interest has one. */
export function* wireFields(message: Uint8Array): Generator<WireField> {
  const reader = wireReader(message);
  while (!reader.isAtEnd()) {
    const key = reader.number();
    const field = Math.floor(key / 8);
    if (field === 0) throw refused("a field has the number 0");
    switch (key % 8) {
      case 0:
        yield { field, value: reader.number(), bytes: null };
        break;
      case 1:
        reader.take(8);
        break;
      case 2:
        yield { field, value: null, bytes: reader.take(reader.number()) };
        break;
      case 5:
        reader.take(4);
        break;
      default:
        throw refused("a field has an unknown type");
    }
  }
}

/** The numbers of a packed field. */
export function* packedNumbers(bytes: Uint8Array): Generator<number> {
  const reader = wireReader(bytes);
  while (!reader.isAtEnd()) yield reader.number();
}

/** A number of at most ten bytes, as protobuf allows. */
const NUMBER_BYTES_MAX = 10;

function refused(why: string): Failed {
  const next = "nothing was changed; make the index again, or leave out --scip";
  return new Failed({ code: "import-refused", where: "--scip", why: `it is not a SCIP index (${why})`, next });
}

type WireReader = {
  isAtEnd(): boolean;
  number(): number;
  /** The next bytes, not copied. */
  take(length: number): Uint8Array;
};

function wireReader(bytes: Uint8Array): WireReader {
  let at = 0;
  return {
    isAtEnd: () => at >= bytes.length,
    number() {
      let [value, scale] = [0, 1];
      for (let count = 0; count < NUMBER_BYTES_MAX; count += 1) {
        const byte = bytes[at];
        if (byte === undefined) throw refused("it ends within a number");
        at += 1;
        value += (byte & 0x7f) * scale;
        if (byte < 0x80) return value;
        scale *= 0x80;
      }
      throw refused("a number is too long");
    },
    take(length) {
      const end = at + length;
      if (end > bytes.length) throw refused("it ends within a field");
      const taken = bytes.subarray(at, end);
      at = end;
      return taken;
    },
  };
}
