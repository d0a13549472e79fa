/** A review in a small budget: 800what of the changes is shown in full. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const parts = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `def part_${from + at}(x):\n    return x + ${at}\n\n\n`).join("");
const steps = Array.from({ length: 10 }, (_, at) => `      - run: make stage-${at}\n`).join("");
const total = Array.from({ length: 20 }, (_, at) => `    result += items[${at}].price * items[${at}].count\n`).join("");
const flows = ["build", "check", "clean", "docs", "lock", "publish"];

const world = shared(
  await indexed({
    "till/sums.py": `${parts(0, 40)}def total(items):\n    result = 0\n${total}    return result\n\n\n${parts(40, 80)}`,
    ...Object.fromEntries(flows.map((name) => [`ci/${name}.yaml`, `jobs:\n  ${name}:\n    steps:\n${steps}`])),
  }),
);

test("definitions that were changed come before lines of changed files that have none", async () => {
  const changed = ["till/sums.py:total", ...flows.map((name) => `ci/${name}.yaml`)];
  const task = "Please review these changes:\n\n- `till/sums.py`: `total`";
  const { pkg, markdown } = await world.run(task, { constraints: { ...NO_CONSTRAINTS, changed }, budget: 800 });
  expect(markdown).toContain(total);
  expect(pkg.files.map(({ path }) => path)).toEqual(["till/sums.py", ...flows.map((name) => `ci/${name}.yaml`)]);
});
