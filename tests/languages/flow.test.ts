/** What is found in JavaScript with types of Flow. */
import { expect, test } from "bun:test";
import { importLines, symbolLines } from "../syntax/render.ts";

test("JavaScript with types of Flow", async () => {
  const source = `/**
 * @flow strict-local
 * @format
 */
'use strict';

import type {Item} from './item';

const total = require('./total');

export type Props = {|
  +items: Array<Item>,
  onChange?: (item: ?Item) => void,
|};
opaque type Key = string;

class Cart<T: Item> extends React.Component<Props> {
  _items: ?Array<T> = null;
  static limit: number = 3;
  add(item: T, key?: Key): ?T {
    if (item) {
      return total(item);
    }
    return null;
  }
}

function keyOf(item: Item, deep?: boolean = false): Key {
  return item.key;
}

module.exports = Cart;
`;
  const lines = await symbolLines("javascript", source);
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "+type_alias Props",
    "-type_alias Key",
    "+class Cart",
    "+property Cart._items",
    "+property Cart.limit",
    "+method Cart.add",
    "-function keyOf",
  ]);
  expect(await importLines("javascript", source)).toEqual(["7 type ./item Item", "9 require ./total *>total"]);
});
