/** When the threads that parse start before the walk ends. */
import { expect, test } from "bun:test";
import type { TextParser } from "../../../../src/indexing/update/index-deps.ts";
import { warmParsers } from "../../../../src/indexing/update/scan/warm-parsers.ts";

/** What is warmed after each folder of so many files of these endings. */
function warmed(isEmpty: boolean, ...folders: readonly Readonly<Record<string, number>>[]): readonly string[] {
  const asked: string[] = [];
  const parse: TextParser["parse"] = () => Promise.reject(new Error("nothing is parsed"));
  const warm = (language: string, files: number): void => void asked.push(`${language} ${files}`);
  const found = warmParsers({ width: 2, parse, warm }, { isEmpty: () => isEmpty });
  for (const folder of folders)
    found?.(
      Object.entries(folder).flatMap(([ending, count]) =>
        Array.from({ length: count }, (_, at) => ({ path: `src/file${at}.${ending}` })),
      ),
    );
  return asked;
}

test("parsers start once, with the most frequent language, when many files are found and no facts are known", () => {
  expect(warmed(true, { py: 199, ts: 201, txt: 900 }, { ts: 100 }, { py: 900 })).toEqual(["typescript 500"]);
  expect(warmed(true, { ts: 499, txt: 900 })).toEqual([]);
  expect(warmed(false, { ts: 900 })).toEqual([]);
});
