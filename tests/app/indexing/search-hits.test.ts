/** What a query finds, beyond full text. */
import { expect, test } from "bun:test";
import { searchHits } from "../../../src/app/indexing/search-hits.ts";
import { indexed } from "../../support/indexed.ts";

const method = (at: number): string =>
  `    public int parse(${"int a, ".repeat(at)}int b) {\n        return ${at};\n    }\n`;
const many = Array.from({ length: 9 }, (_, at) => method(at)).join("\n");

test("of many overloads three are hits, and the last of them names the lines of the others", async () => {
  using repo = await indexed({
    "src/Reader.java": `public class Reader {\n${many}\n}\n`,
    "src/Writer.java": `public class Writer {\n${[0, 1, 2, 3].map(method).join("\n")}\n}\n`,
    "src/Caller.java": "public class Caller {\n    int run(Reader r) {\n        return r.parse(1);\n    }\n}\n",
  });
  const hits = searchHits(repo.kb, "parse", 8).map(({ path, line, more }) => [path, line, more ?? null]);
  expect(hits).toEqual([
    ["src/Reader.java", 2, null],
    ["src/Reader.java", 6, null],
    ["src/Reader.java", 10, [14, 18, 22, 26, 30, 34]],
    // A single one more is shown.
    ["src/Writer.java", 2, null],
    ["src/Writer.java", 6, null],
    ["src/Writer.java", 10, null],
    ["src/Writer.java", 14, null],
    ["src/Caller.java", 3, null],
  ]);
  expect(searchHits(repo.kb, "parse", 2)).toHaveLength(2);
});
