/** `cra doctor` and `cra clean` from arguments to output, on the stub app. */
import { describe, expect, test } from "bun:test";
import type { Diagnostic } from "../../../src/db/check/diagnostic.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();

const ERROR: Diagnostic = {
  severity: "error",
  code: "index-damaged",
  where: "/r/.cra/curated.sqlite",
  what: "a row\x1b[2J is wrong",
  mend: "cra index --rebuild",
};
const NOTE: Diagnostic = { severity: "note", code: "foreign", where: "/elsewhere", what: "not ours", mend: null };
const WARNING: Diagnostic = { ...NOTE, severity: "warning", code: "folder-open", mend: "chmod o-w /elsewhere" };

describe("doctor", () => {
  test("names each problem, its file, and the repair command", async () => {
    expect(await ran(["doctor"], { findings: [ERROR, WARNING, NOTE] })).toEqual({
      out: `repository  /r
data        /r/.cra (3 files, 2.0 KiB)
error       curated.sqlite: a row\\x1b[2J is wrong
            repair it: cra index --rebuild
warning     /elsewhere: not ours
            repair it: chmod o-w /elsewhere
note        /elsewhere: not ours
verdict     1 error, 1 warning
`,
      err: "",
      code: 1,
    });
  });
  test("adds the typed repository and folder to cra commands only", async () => {
    const { out } = await ran(["doctor", "--repo", "a b", "--data-dir", "/d"], { findings: [ERROR, WARNING] });
    expect(out).toContain("repair it: cra index --rebuild --repo 'a b' --data-dir /d\n");
    expect(out).toContain("repair it: chmod o-w /elsewhere\n");
  });
  test.each([
    [[], true, 0],
    [[NOTE], true, 0],
    [[WARNING], true, 1],
    [[NOTE], false, 10],
    [[ERROR], false, 1],
  ] as const)("%p with an index %p is code %p", async (findings, indexed, code) => {
    expect((await ran(["doctor"], { findings, indexed })).code).toBe(code);
    const json = await ran(["doctor", "--json"], { findings, indexed });
    expect(json.code).toBe(code);
    expect(JSON.parse(json.out)).toMatchObject({ schema_version: 1, indexed, ok: code !== 1 });
  });
});

describe("clean", () => {
  test("shows disk use, and the options that free it", async () => {
    expect(await ran(["clean"])).toEqual({
      out: `/r/.cra: 3.0 KiB
what       size     files  removed by         names
index      2.0 KiB      1  cra clean --index  curated.sqlite
log        1.0 KiB      1  cra clean --log    raw.sqlite
not cra's  5 B          1                     no\\x1b[2Jte
`,
      err: "",
      code: 0,
    });
    expect(seen.removed).toEqual([]);
  });
  test.each([
    [["--vectors"], ["vectors"]],
    [["--all"], ["cache", "vectors", "set-aside", "index"]],
    [["--index"], ["index"]],
    [["--log", "--yes"], ["log"]],
    [["--sessions"], ["sessions"]],
    [["--all", "--dry-run"], []],
  ])("%p removes %p", async (words, removed) => {
    expect((await ran(["clean", ...words])).code).toBe(0);
    expect(seen.removed).toEqual(removed as typeof seen.removed);
  });
  test("asks on a terminal before it removes the log", async () => {
    const no = await ran(["clean", "--log", "--index"], {}, { isTerminal: true, text: "no\n" });
    expect([no.code, seen.removed.length]).toEqual([1, 0]);
    expect(no.err).toContain("Remove the log (1.0 KiB)? This cannot be undone. [y/N] ");
    expect((await ran(["clean", "--log"], {}, { isTerminal: true, text: "y\n" })).code).toBe(0);
    expect(seen.removed).toEqual(["log"]);
  });
  test("is refused without a terminal", async () => {
    expect(await ran(["clean", "--log", "--index"])).toMatchObject({ code: 2, out: "" });
    expect(seen.removed).toEqual([]);
  });
});
