import { expect, test } from "bun:test";
import fc from "fast-check";
import { isLoopback } from "../../src/text/loopback.ts";

test("loopback addresses and localhost are this machine, and no other name", () => {
  for (const near of ["localhost", "::1", "[::1]", "127.0.0.1", "127.8.9.1", "[::ffff:7f00:1]", "::ffff:7f00:1"])
    expect(isLoopback(near)).toBe(true);
  for (const far of ["", "0.0.0.0", "::", "[::]", "10.0.0.1", "127.0.0.1.evil.example", "::ffff:a00:1", "[::1"])
    expect(isLoopback(far)).toBe(false);
});

test("no IPv4 address outside 127.0.0.0/8 is this machine", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isLoopback(address)).toBe(address.startsWith("127."));
    }),
  );
});
