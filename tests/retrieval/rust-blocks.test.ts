/** What Rust has and others have not: blocks without a name around methods, and tests in the files of the program. */
import { expect, test } from "bun:test";
import { indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";

const TILL = `pub struct Till {
    coins: Vec<u32>,
}

impl Till {
    pub fn deposit(&mut self, coin: u32) {
        self.coins.push(coin);
    }

    pub fn total_of_coins(&self) -> u32 {
        self.coins.iter().sum()
    }
}

impl std::fmt::Display for Till {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} in total", self.total_of_coins())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_of_coins_after_deposit() {
        let mut till = Till { coins: vec![] };
        till.deposit(2);
        // The total of the coins that were deposited is wrong otherwise: deposit, total, coins.
        assert_eq!(till.total_of_coins(), 2);
    }
}
`;
const OTHER = Array.from({ length: 60 }, (_, at) => `pub fn other_${at}() -> u32 {\n    ${at}\n}\n`).join("\n");

const till = shared(await indexed({ "src/till.rs": TILL, "src/other.rs": OTHER }));

const TASK = "The total of coins is wrong after a deposit\n\nIt counts them twice.";
const scoresFor = async (task: string): Promise<ReadonlyMap<string, number>> => {
  const { definitions } = (await till.run(task, {})).selection;
  const scores = new Map(definitions.map(({ symbolId, score }) => [symbolId, score]));
  return new Map(till.kb.symbolsById([...scores.keys()]).map(({ id, name }) => [name, scores.get(id) ?? 0]));
};

test("an inline test in a source file keeps a fifth of its score, unless the task asks for tests", async () => {
  const name = "total_of_coins_after_deposit";
  const asked = await scoresFor("Write tests for the total of coins after a deposit");
  const plain = await scoresFor(TASK);
  expect(plain.get(name)).toBeLessThan(0.5 * (asked.get(name) ?? 0));
});

test("a method is shown in its impl, and a block without a shown method is not shown", async () => {
  const { pkg, markdown } = await till.run(TASK, { budget: 140 });
  const shown = pkg.files.find(({ path }) => path === "src/till.rs");
  const bodies = shown?.symbols.filter(({ body }) => body !== null).map(({ name }) => name) ?? [];
  expect(bodies).toContain("total_of_coins");
  expect(bodies).not.toContain("fmt");
  expect(markdown).toContain("impl Till {\n");
  expect(markdown).not.toContain("impl std::fmt::Display");
});

test("with enough room every line of both blocks is shown", async () => {
  const { markdown } = await till.run(TASK, {});
  for (const line of TILL.slice(0, TILL.indexOf("#[cfg")).split("\n")) expect(markdown).toContain(line);
});

test("an impl with much code between its methods shows only its header", async () => {
  const constants = Array.from({ length: 40 }, (_, at) => `    const COIN_${at}: u32 = ${at};`).join("\n");
  const text = `pub struct Purse;\n\nimpl Purse {\n${constants}\n\n    fn shake_hard(&self) {}\n}\n`;
  using purse = await indexed({ "src/purse.rs": text, "src/other.rs": OTHER });
  const { markdown } = await purse.run("`shake_hard` is silent", { budget: 150 });
  expect(markdown).toContain("impl Purse {\n");
  expect(markdown).not.toContain("COIN_39");
});
