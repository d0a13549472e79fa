/** When garbage is collected, by how much memory the process uses. */
import { expect, test } from "bun:test";
import { garbageCollector } from "../../../../src/indexing/update/writer/collect-garbage.ts";

/** Looks once at each memory use in MB, and says where garbage was collected: then the use is asked for once more. */
function collectionsAt(uses: readonly number[], isNewStep = false): readonly number[] {
  let current = 0;
  let asked = 0;
  const collect = garbageCollector(() => {
    asked += 1;
    return current * 1e6;
  });
  return uses.filter((use) => {
    current = use;
    asked = 0;
    collect(isNewStep);
    return asked > 1;
  });
}

test("little memory is left to the engine", () => {
  expect(collectionsAt([100, 200, 249, 100, 249])).toEqual([]);
});

test("garbage is collected once memory has grown by 50 MB", () => {
  expect(collectionsAt([300, 349, 351, 390, 402])).toEqual([300, 351, 402]);
});

test("growth is measured from the lowest use since the last collection", () => {
  expect(collectionsAt([600, 540, 589, 591])).toEqual([600, 591]);
});

test("a new step collects what the one before left", () => {
  expect(collectionsAt([300, 301], true)).toEqual([300, 301]);
});
