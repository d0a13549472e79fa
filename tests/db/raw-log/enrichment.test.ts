/** Answers about files in the raw log: read back unchanged, and checked. */
import { expect, test } from "bun:test";
import { checkRawLog } from "../../../src/db/check/raw-log.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { EnrichmentRow } from "../../../src/db/raw-log/raw-log.ts";
import { folder } from "../folder.ts";

const ROW: EnrichmentRow = {
  path: "b.py",
  contentHash: "a1".repeat(32),
  model: "m:1b",
  output: '{"purpose":"größe"}',
  createdAt: "2024-01-01T00:00:00.000Z",
};

/** A log with these rows, and what is wrong with it. */
function logOf(path: string, rows: readonly EnrichmentRow[]) {
  const log = openRawLog(path);
  for (const row of rows) log.appendEnrichment(row);
  const read = [...log.enrichments()];
  log.close();
  return { read, findings: checkRawLog(path, () => {}).map(({ what }) => what) };
}

test("answers are returned unchanged, oldest first", () => {
  using dir = folder();
  const rows = [ROW, { ...ROW, path: "a.py" }, { ...ROW, output: "[]" }, { ...ROW, model: "other" }];
  expect(logOf(dir.at("raw"), rows)).toEqual({ read: rows, findings: [] });
});

test.each<readonly [string, Partial<EnrichmentRow>]>([
  ["on no file", { path: "" }],
  ["on no content", { contentHash: "A1".repeat(32) }],
  ["of no model", { model: "" }],
  ["that is no JSON", { output: "{" }],
  ["at no time", { createdAt: "yesterday" }],
])("an answer %s is found", (_, wrong) => {
  using dir = folder();
  const { findings } = logOf(dir.at("raw"), [ROW, { ...ROW, ...wrong }]);
  expect(findings).toEqual(["1 answers about files that cra cannot have written, such as 2"]);
});
