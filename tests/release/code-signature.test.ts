/** Checks macOS code signatures page by page, and that a new signature is valid. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkSignature, signedAdHoc } from "../../scripts/release/code-signature.ts";

const PAGE = 4096;
const TEXT_BYTES = 2 * PAGE;
const SYMBOLS_AT = TEXT_BYTES;
const SIGNATURE_AT = SYMBOLS_AT + PAGE + 160;
const COMMANDS_AT = 32;

/** An executable with two segments, a symbol table and space for a signature, which is empty. */
function unsigned(): Uint8Array {
  const bytes = new Uint8Array(SIGNATURE_AT + 64).map((_, at) => (at * 7) & 0xff);
  const view = new DataView(bytes.buffer);
  bytes.fill(0, 0, 512);
  const segment = (at: number, name: string, offset: number, size: number): void => {
    view.setUint32(at, 0x19, true);
    view.setUint32(at + 4, 72, true);
    bytes.set(Buffer.from(name), at + 8);
    view.setBigUint64(at + 40, BigInt(offset), true);
    view.setBigUint64(at + 48, BigInt(size), true);
  };
  for (const [place, word] of [0xfeedfacf, 0x0100000c, 0, 2, 4, 72 + 72 + 24 + 16].entries())
    view.setUint32(place * 4, word, true);
  segment(COMMANDS_AT, "__TEXT", 0, TEXT_BYTES);
  segment(COMMANDS_AT + 72, "__LINKEDIT", SYMBOLS_AT, bytes.length - SYMBOLS_AT);
  const symbols = [0x2, 24, SYMBOLS_AT, 2, SYMBOLS_AT + 32, 64];
  for (const [place, word] of symbols.entries()) view.setUint32(COMMANDS_AT + 144 + place * 4, word, true);
  const signature = [0x1d, 16, SIGNATURE_AT, 64];
  for (const [place, word] of signature.entries()) view.setUint32(COMMANDS_AT + 168 + place * 4, word, true);
  return bytes;
}

const signed = signedAdHoc(unsigned(), "cra");
const faultsOf = (bytes: Uint8Array): string => checkSignature(bytes).faults.join("; ");

test("a new signature is valid for every page, and signing twice changes nothing", () => {
  expect(checkSignature(signed)).toEqual({ pages: 4, differing: 0, faults: [] });
  expect(signedAdHoc(signed, "cra")).toEqual(signed);
  expect(Buffer.from(signed).includes("cra\0")).toBe(true);
  expect(signed.subarray(512, SIGNATURE_AT)).toEqual(unsigned().subarray(512, SIGNATURE_AT));
});

test("a changed byte before the signature is detected", () => {
  fc.assert(
    fc.property(fc.integer({ min: 512, max: SIGNATURE_AT - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Uint8Array.from(signed);
      changed[at] = (changed[at] ?? 0) ^ change;
      expect(checkSignature(changed)).toMatchObject({
        differing: 1,
        faults: ["1 of 4 pages differ from their hashes"],
      });
    }),
    { numRuns: 50 },
  );
});

test("a truncated, missing or followed signature is reported", () => {
  expect(faultsOf(unsigned())).toBe("the signature cannot be read");
  expect(faultsOf(Buffer.concat([signed, new Uint8Array(8)]))).toContain("8 bytes follow the signature");
  const short = Uint8Array.from(signed);
  new DataView(short.buffer).setUint32(SIGNATURE_AT + 20 + 32, SIGNATURE_AT - PAGE);
  expect(faultsOf(short)).toBe("4096 bytes before the signature are not signed");
  const elsewhere = Uint8Array.from(signed);
  new DataView(elsewhere.buffer).setBigUint64(SIGNATURE_AT + 20 + 72, 1n);
  expect(faultsOf(elsewhere)).toBe("it names another main segment");
});

test("any bytes give a check result or a one-line error", () => {
  const damage = fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 255 })), {
    maxLength: 6,
  });
  const signatureDamage = damage.map((all) => all.map(([at, byte]) => [SIGNATURE_AT + at, byte] as const));
  fc.assert(
    fc.property(fc.oneof(damage, signatureDamage), fc.integer({ min: 0, max: signed.length }), (all, length) => {
      const broken = Uint8Array.from(signed);
      for (const [at, byte] of all) broken[at] = byte;
      const bytes = broken.subarray(0, all.length % 2 === 0 ? broken.length : length);
      try {
        expect(checkSignature(bytes).faults.join("; ")).not.toContain("\n");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(RangeError);
        expect(error).not.toBeInstanceOf(TypeError);
      }
    }),
    { numRuns: 500 },
  );
});

test("a file that is not a macOS executable is refused", () => {
  expect(() => checkSignature(Buffer.from("\u007fELF"))).toThrow("not a 64-bit Mach-O file");
  expect(() => signedAdHoc(new Uint8Array(4096), "cra")).toThrow("not a 64-bit Mach-O file");
});
