/** What was written of each file, and which files are due. */
import { expect, test } from "bun:test";
import { hashOf } from "../../../../src/indexing/update/scan/file-content.ts";
import { type Written, writtenFiles } from "../../../../src/indexing/update/writer/written-files.ts";

const before = { id: 7, path: "b.py", language: "python", contentHash: "c", sizeBytes: 1, isTest: false };
const file = (path: string, more: Partial<Written> = {}): Written => ({
  id: path.charCodeAt(0),
  path,
  contentHash: hashOf(Buffer.from(path)),
  language: "python",
  looksSame: false,
  before: null,
  ...more,
});

test("files are there as they were written last, until they are taken away", () => {
  const written = writtenFiles();
  expect([written.get("a.py"), [...written.all()]]).toEqual([null, []]);
  const [a, b] = [file("a.py"), file("b.py", { looksSame: true, before })];
  written.set(a);
  written.set(b);
  expect([written.get("a.py"), written.get("b.py"), [...written.all()]]).toEqual([a, b, [a, b]]);
  const again = file("b.py", { contentHash: hashOf(Buffer.from("other")), before });
  written.set(again);
  expect([written.get("b.py"), [...written.all()]]).toEqual([again, [a, again]]);
  written.delete("a.py");
  expect([written.get("a.py"), [...written.all()]]).toEqual([null, [again]]);
  written.clear();
  expect([written.get("b.py"), [...written.all()]]).toEqual([null, []]);
});

test("what is due stays due when it is written again", () => {
  const written = writtenFiles();
  for (const path of ["a.py", "b.py", "c.py"]) written.set(file(path));
  written.setDue("b.py");
  written.setDue("missing.py");
  const again = file("b.py", { language: "text" });
  written.set(again);
  expect([...written.notDue()].map(({ path }) => path)).toEqual(["a.py", "c.py"]);
  expect(written.get("b.py")).toEqual(again);
});
