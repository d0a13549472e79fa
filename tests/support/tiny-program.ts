/** A program of some hundred bytes, so that tests of packages need not move the real one around. */

const HEADERS = 64 + 56;
const BASE = 0x400000;

/** Prints a text whatever its arguments are. An ELF that needs no library on Linux x64, else a shell script. */
export function tinyProgram(text: string): Uint8Array {
  if (process.platform !== "linux" || process.arch !== "x64") return Buffer.from(`#!/bin/sh\necho '${text}'\n`);
  const output = Buffer.from(`${text}\n`);
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const code = Buffer.concat([
    Buffer.from("b801000000bf01000000ba", "hex"), // write to standard output …
    number(output.length),
    Buffer.from("488d350b000000", "hex"), // … what follows the code
    Buffer.from("0f05", "hex"),
    Buffer.from("b83c00000031ff0f05", "hex"), // exit 0
  ]);
  const size = HEADERS + code.length + output.length;
  const header = Buffer.alloc(HEADERS);
  header.write("7f454c46020101", "hex");
  header.writeUInt16LE(2, 16); // executable
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(BASE + HEADERS), 24); // entry
  header.writeBigUInt64LE(64n, 32); // program headers
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, 64); // load …
  header.writeUInt32LE(5, 68); // … readable and executable
  header.writeBigUInt64LE(BigInt(BASE), 80);
  header.writeBigUInt64LE(BigInt(BASE), 88);
  header.writeBigUInt64LE(BigInt(size), 96);
  header.writeBigUInt64LE(BigInt(size), 104);
  header.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([header, code, output]);
}
