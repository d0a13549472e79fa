/** Which lines of a definition are shown that does not fit as a whole. */
import { expect, test } from "bun:test";
import { indexed } from "../../../support/indexed.ts";

test("the lines of a recursion do not displace those that the task is about", async () => {
  const step = (at: number): string =>
    `    if node.kind == ${at}:\n        found.append(at_${at})\n        count += ${at}\n`;
  const steps = (from: number): string => Array.from({ length: 12 }, (_, at) => step(from + at)).join("");
  const recursion = `${steps(0)}    return walk_tree(node.left)\n`;
  const slash = "    if path.endswith(SLASH):\n        path = path[:-1]\n";
  using world = await indexed({
    "walk.py": `def walk_tree(node):\n${recursion.repeat(8)}${slash}${steps(20).repeat(4)}    return found\n`,
  });
  const { pkg } = await world.run("walk_tree keeps trailing slashes", { budget: 500 });
  const shown = pkg.files.flatMap(({ snippets }) => snippets.map(({ text }) => text)).join("\n");
  expect(shown).toContain("path.endswith(SLASH)");
});
