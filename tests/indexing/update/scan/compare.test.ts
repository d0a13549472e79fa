/** What is due, from what is stored and what is there. */
import { describe, expect, test } from "bun:test";
import type { IndexableFile } from "../../../../src/indexing/model/index-run.ts";
import {
  type BuildVersions,
  hashOfConfig,
  indexContentHash,
  knownHistory,
  planIndex,
  type RepositoryState,
  type Stored,
  sourceHashOf,
} from "../../../../src/indexing/update/scan/compare.ts";

const MAKING: BuildVersions = { configHash: "c", craVersion: "1", extractorVersion: "e" };
const filesOf = (files: string): readonly IndexableFile[] =>
  files
    .split(" ")
    .filter(Boolean)
    .map((file) => ({
      path: file[0] ?? "",
      contentHash: file.slice(1),
      language: "python",
      sizeBytes: 1,
      isTest: false,
    }));
const found = (files: string, more: Partial<RepositoryState> = {}): RepositoryState => ({
  files: filesOf(files),
  skips: [],
  head: "h",
  remoteUrl: null,
  shallow: null,
  ...more,
});
const stored = (files: string, making: Partial<BuildVersions> = {}, historyProblem: string | null = null): Stored => ({
  files: filesOf(files).map((file, index) => ({ ...file, id: index + 1, problem: null })),
  skips: [],
  meta: {
    ...MAKING,
    ...making,
    contentHash: "x",
    sourceHash: "",
    head: "h",
    remoteUrl: null,
    shallow: null,
    historyProblem,
    counts: { files: 0, symbols: 0, dependencies: 0, references: 0, commits: 0, coChanges: 0 },
    languages: [],
    skipped: [],
  },
});

/** Shown as `+added ~changed -removed =unchanged`, then what else is due. */
const check = (name: string, before: Stored, now: RepositoryState, expected: string): void =>
  test(name, () => {
    const plan = planIndex(before, now, MAKING);
    const show = (sign: string, files: Iterable<{ readonly path: string }>): readonly string[] =>
      [...files].map(({ path }) => sign + path);
    const parts = [
      ...show("+", plan.added),
      ...show("~", plan.changed),
      ...show("-", plan.removed),
      ...show("=", plan.unchanged),
    ];
    expect([...parts, ...(plan.historyDue ? ["history"] : []), ...(plan.isCurrent ? ["current"] : [])].join(" ")).toBe(
      expected,
    );
  });

describe("a plan", () => {
  check("nothing changed", stored("a1 b1"), found("a1 b1"), "=a =b current");
  check("a file of each kind", stored("a1 b1 c1"), found("b2 c1 d1"), "+d ~b -a =c history");
  check("content only: the history stays valid", stored("a1 b1"), found("a2 b1"), "~a =b");
  check("another commit", stored("a1"), found("a1", { head: "i" }), "=a history");
  check("a shallow clone with another boundary", stored("a1"), found("a1", { shallow: "s" }), "=a history");
  check("a file that can be parsed now", stored("a1"), found("a1", { recovered: new Set(["a"]) }), "~a");
  check("one more skipped file", stored("a1"), found("a1", { skips: [{ path: "x.png", reason: "binary" }] }), "=a");
  check("never indexed", { meta: null, files: [], skips: [] }, found("a1"), "+a history");
  check("an empty repository, indexed", stored(""), found(""), "current");
  check("no history last time: tried again", stored("a1", {}, "no git"), found("a1"), "=a history current");
  for (const part of ["configHash", "craVersion", "extractorVersion"] as const)
    check(
      `another ${part} makes every file changed`,
      stored("a1 b1", { [part]: "old" }),
      found("a1 b1"),
      "~a ~b history",
    );
});

test("what is known of the history is that of HEAD, or the earlier one that was kept", () => {
  const { meta } = stored("a1");
  if (meta === null) throw new Error("no index");
  const kept = { head: "g", configHash: "d" };
  expect(knownHistory(meta)).toEqual({ head: "h", configHash: "c" });
  expect(knownHistory({ ...meta, head: null })).toBeNull();
  expect(knownHistory({ ...meta, historyProblem: "git was ended" })).toBeNull();
  expect(knownHistory({ ...meta, historyProblem: "git was ended", keptHistory: kept })).toEqual(kept);
});

test("the content hash depends on paths, contents, commit and build", () => {
  const files = filesOf("a1 b1");
  const here = { head: "h", shallow: null };
  const hashes = [
    sourceHashOf(files, here, MAKING),
    sourceHashOf(files.slice(1), here, MAKING),
    sourceHashOf(filesOf("a1 b2"), here, MAKING),
    sourceHashOf(files, { head: null, shallow: null }, MAKING),
    sourceHashOf(files, { ...here, shallow: "s" }, MAKING),
    sourceHashOf(files, here, { ...MAKING, configHash: "d" }),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  const whole = { head: "h", historyProblem: null };
  const unread = { head: "h", historyProblem: "git was ended" };
  const kept = { head: "g", configHash: "c" };
  const broken = [{ path: "a", why: "the parser crashed" }];
  const contents = [
    indexContentHash("s", whole, []),
    indexContentHash("t", whole, []),
    indexContentHash("s", whole, broken),
    indexContentHash("s", unread, []),
    indexContentHash("s", unread, broken),
    indexContentHash("s", { ...unread, keptHistory: kept }, []),
    indexContentHash("s", { ...unread, keptHistory: { ...kept, head: "f" } }, []),
    indexContentHash("s", { ...unread, keptHistory: { ...kept, configHash: "d" } }, []),
  ];
  expect(new Set(contents).size).toBe(contents.length);
  // Where nothing is missing it is the hash of the source, and where there is no history none is missing.
  expect(contents[0]).toBe("s");
  expect(indexContentHash("s", { head: null, historyProblem: "no commits yet" }, [])).toBe("s");
  expect(hashOfConfig({ a: 1, b: 2 })).toBe(hashOfConfig({ b: 2, a: 1 }));
  expect(hashOfConfig({ a: 1 })).not.toBe(hashOfConfig({ a: 2 }));
});
