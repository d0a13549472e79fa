/** The name in a SCIP symbol, as several indexers write them. */
import { expect, test } from "bun:test";
import { openScip } from "../../../src/indexing/scip/scip-file.ts";
import { symbolName } from "../../../src/indexing/scip/symbol-name.ts";
import { packedNumbers, wireFields } from "../../../src/indexing/scip/wire.ts";

test("the last descriptor has the name and the kind", () => {
  const of = (symbol: string): string => Object.values(symbolName(symbol)).join(" ");
  expect(of("scip-typescript npm shop 1.0.0 src/`cart.ts`/Cart#sum().")).toBe("sum method");
  expect(of("scip-typescript npm shop 1.0.0 src/`store.ts`/MemoryStore#`#rows`.")).toBe("#rows term");
  expect(of("scip-java maven a b 1 com/Cart#sum(+2).")).toBe("sum method");
  expect(of("scip-python python shop 0.1 `shop.cart`/Cart#")).toBe("Cart type");
  expect(of("rust-analyzer cargo shop 0.1 cart/impl#[Cart]sum().")).toBe("sum method");
  expect(of("scip-go gomod shop v1 `shop/cart`/Größe.")).toBe("Größe term");
  expect(of("a b c d `x``y`.")).toBe("x`y term");
});

test("files, parameters, type parameters and local symbols have none", () => {
  for (const symbol of [
    "local 12",
    "a b c d src/`cart.ts`/",
    "a b c d Cart#sum().(id)",
    "a b c d Cart#[T]",
    "a b c d x:",
    "",
  ])
    expect([symbol, symbolName(symbol).kind]).toEqual([symbol, "other"]);
});

test("protobuf that ends early, or is none, is refused", () => {
  const read = (...bytes: readonly number[]) => [...wireFields(Uint8Array.from(bytes))];
  expect(read(0x08, 0x96, 0x01)).toEqual([{ field: 1, value: 150, bytes: null }]);
  expect([...packedNumbers(Uint8Array.of(3, 0x8e, 0x02))]).toEqual([3, 270]);
  for (const bytes of [[0x08], [0x0a, 0x05, 1], [0x0b], [0x00, 1], [0x08, ...Array<number>(11).fill(0xff)], [0x0d, 1]])
    expect(() => read(...bytes)).toThrow("it is not a SCIP index");
});

test("an occurrence whose range has more numbers than a range is none", () => {
  const field = (number: number, bytes: Uint8Array): Uint8Array => {
    const size = [0, 7, 14, 21].map((shift, at) => ((bytes.length >> shift) & 0x7f) | (at < 3 ? 0x80 : 0));
    return Buffer.concat([Uint8Array.of(number * 8 + 2, ...size), bytes]);
  };
  const range = new Uint8Array(1_000_000).fill(7);
  range.set([3, 1, 3, 5]);
  const occurrence = Buffer.concat([field(1, range), field(2, Buffer.from("local 1"))]);
  const [document] = openScip(field(2, field(2, occurrence))).documents();
  expect(document?.occurrences).toEqual([]);
});
