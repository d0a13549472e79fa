/** Bounded deep retrieval on real folders: what goes into a bundle, in which order, and in which form. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import {
  type EscalationDeps,
  type EscalationRequest,
  type EvidenceFiles,
  escalate,
} from "../../src/escalation/escalate.ts";
import {
  EscalationDecision,
  isoTime,
  type MemoryEntry,
  RetrievalBundle,
} from "../../src/escalation/escalation-schema.ts";
import { readHandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { byRecency } from "../../src/escalation/run-artifacts.ts";
import { Failed } from "../../src/failure.ts";
import { REDACTOR } from "../../src/secrets/redact.ts";
import { listedFileReader, listFiles } from "../../src/source/walk/sandboxed-reader.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";

const NOW = Date.UTC(2024, 0, 15, 10, 30, 0, 123);
const HOUR = 3_600_000;
const KB = 1024;
const SIGNAL = new AbortController().signal;

/** Content, and how many hours ago it was written. */
type Written = Readonly<Record<string, readonly [content: string, hours: number]>>;

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
  mkdirSync(join(folder.path, "run"));
});
afterEach(() => folder[Symbol.dispose]());

function write(under: string, files: Written): void {
  for (const [path, [content, hours]] of Object.entries(files)) {
    const full = join(folder.path, under, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    utimesSync(full, new Date(NOW - hours * HOUR), new Date(NOW - hours * HOUR));
  }
}

function evidence(root: string, under: readonly string[]): EvidenceFiles {
  const options = { under, ignore: null, without: [], isWanted: () => true };
  return { list: (signal) => listFiles(root, { ...options, signal }), read: listedFileReader(root) };
}

const VAGUE = { error_message: "Error", root_cause: "Unknown" };

async function ran(handoff: unknown, wish: Partial<EscalationRequest> = {}, change: Partial<EscalationDeps> = {}) {
  const deps: EscalationDeps = {
    run: evidence(join(folder.path, "run"), [""]),
    documents: evidence(folder.path, ["docs", "src"]),
    whyHidden: () => null,
    redactor: REDACTOR,
    documentBytesMax: 1024 * 1024,
    similarFailures: async () => [],
    rankByMeaning: null,
    nowMs: () => NOW,
    ...change,
  };
  const request = { phase: "phase_001", attempt: 1, force: false, check: false, adaptiveCaps: false, ...wish };
  return await escalate(deps, { handoff: readHandoffBundle(JSON.stringify(handoff), "it"), ...request }, SIGNAL);
}

async function bundleOf(...args: Parameters<typeof ran>): Promise<RetrievalBundle> {
  return RetrievalBundle.parse(await ran(...args));
}
const paths = (entries: readonly { readonly path: string }[]): readonly string[] => entries.map(({ path }) => path);

test("the bundle has the fields of the published format in order, followed by those of the decision", async () => {
  write("run", { "phase_001_attempt_1.log": ["ERROR: Test failure\nFAILED to complete", 5 / 60] });
  write("docs", { "error_handling.md": ["# Error Handling\n\nThis document covers errors: error, error, error.", 1] });
  mkdirSync(join(folder.path, "src"));
  const bundle = await bundleOf(VAGUE, { attempt: 2 });
  expect(JSON.stringify(bundle, null, 2)).toStartWith(`{
  "phase_id": "phase_001",
  "timestamp": "2024-01-15T10:30:00Z",
  "priority": "high",
  "run_artifacts": [
    {
      "path": "phase_001_attempt_1.log",
      "content": "ERROR: Test failure\\nFAILED to complete",
      "size": 38,
      "modified": "2024-01-15T10:25:00Z",
      "within_24h": true
    }
  ],
  "sot_files": [
    {
      "path": "docs/error_handling.md",
      "content": "# Error Handling\\n\\nThis document covers errors: error, error, error.",
      "size": 67,
      "relevance_score": 5
    }
  ],
  "memory_entries": [],
  "stats": {
    "run_artifacts_count": 1,
    "run_artifacts_size": 38,
    "sot_files_count": 1,
    "sot_files_size": 67,
    "memory_entries_count": 0,
    "memory_entries_size": 0
  },
  "escalate": true,
  "forced": false,
  "attempt": 2,
  "triggers": [
    {
      "name": "minimal_bundle",
      "fired": true,
      "reason": "the handoff bundle says next to nothing: the error message has 5 characters, less than 20, no stack trace, no recent changes"
    },`);
  expect(bundle.warnings).toEqual([]);
});

describe("deciding", () => {
  const CLEAR = {
    error_message: "FileNotFoundError: config.yaml not found in /path",
    root_cause: "Missing configuration file config.yaml in expected directory",
  };
  const listed = {
    read: () => ({ kind: "problem", why: "read" }) as const,
    list: () => Promise.reject(new Error("listed")),
  };

  test("with --check, no document is listed", async () => {
    const decision = EscalationDecision.parse(await ran(VAGUE, { check: true }, { documents: listed }));
    expect(decision).toMatchObject({ escalate: true, priority: "high", phase_id: "phase_001", attempt: 1 });
    expect(await ran(CLEAR, { check: true }, { documents: listed })).toMatchObject({
      escalate: false,
      priority: "low",
    });
  });
  test("without a firing trigger, returns the decision with every trigger", async () => {
    const decision = await ran(CLEAR, {}, { documents: listed });
    expect(Object.keys(decision)[0]).toBe("escalate");
    expect(decision).toMatchObject({ escalate: false, priority: "low" });
    expect(decision.triggers.map(({ fired }) => fired)).toEqual([false, false, false, false]);
  });
  test("--force retrieves anyway", async () => {
    write("run", { "a.log": ["a", 1] });
    const bundle = await bundleOf(CLEAR, { force: true });
    expect(bundle).toMatchObject({ escalate: true, forced: true, priority: "low" });
    expect(paths(bundle.run_artifacts)).toEqual(["a.log"]);
  });
  test("only logs of earlier attempts of this phase count, in any folder", async () => {
    const repeats = async (phase: string, attempt: number) =>
      (await ran(CLEAR, { phase, attempt, check: true })).triggers[2]?.fired;
    write("run", {
      "phase_001_attempt_2.log": ["FAILED", 1],
      "phase_001_attempt_1.log": ["fine", 1],
      "phase_0010_attempt_1.log": ["FAILED", 1],
      "phase_00_attempt_x.log": ["FAILED", 1],
      "logs/a+b[1]*_attempt_1.stderr.log": ["FAILED", 1],
    });
    expect([await repeats("phase_001", 1), await repeats("phase_001", 2), await repeats("phase_001", 3)]).toEqual([
      false,
      false,
      true,
    ]);
    for (const phase of ["phase_00", "phase_00.", "phase.*", "*", "", "aab1"])
      expect(await repeats(phase, 9)).toBe(false);
    expect(await repeats("a+b[1]*", 2)).toBe(true);
  });
  test("the ten newest logs are read, the first MiB of each", async () => {
    const logs = Array.from({ length: 11 }, (_, n): [string, readonly [string, number]] => [
      `phase_001_attempt_${n + 1}.log`,
      [n === 0 ? "FAILED" : "fine", 20 - n],
    ]);
    write("run", Object.fromEntries(logs));
    expect((await ran(CLEAR, { attempt: 12 })).escalate).toBe(false);
    write("run", { "phase_001_attempt_1.log": ["FAILED", 1] });
    expect((await ran(CLEAR, { attempt: 12 })).escalate).toBe(true);
    write("run", { "phase_001_attempt_1.log": [`${"x".repeat(1024 * KB - 6)}FAILED`, 1] });
    expect((await ran(CLEAR, { attempt: 12 })).escalate).toBe(true);
    write("run", { "phase_001_attempt_1.log": [`${"x".repeat(1024 * KB - 5)}FAILED`, 1] });
    expect((await ran(CLEAR, { attempt: 12 })).escalate).toBe(false);
  });
});

describe("run artifacts", () => {
  test("the example: files of the last day first, newest first, then the rest", async () => {
    write("run", { "artifact_3.log": ["3", 48], "artifact_1.log": ["1", 1], "artifact_2.log": ["2", 2] });
    const { run_artifacts } = await bundleOf(VAGUE);
    expect(paths(run_artifacts)).toEqual(["artifact_1.log", "artifact_2.log", "artifact_3.log"]);
    expect(run_artifacts.map(({ within_24h }) => within_24h)).toEqual([true, true, false]);
  });
  test("the most recent ones if none is of the last day", async () => {
    write("run", { "a.log": ["a", 50], "b.log": ["b", 30], "c/d.log": ["d", 40] });
    expect(paths((await bundleOf(VAGUE)).run_artifacts)).toEqual(["b.log", "c/d.log", "a.log"]);
  });
  test("five files, and 10 KB with the last one truncated", async () => {
    write("run", Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.log`, ["x", n]])));
    expect((await bundleOf(VAGUE)).stats.run_artifacts_count).toBe(5);
    write("run", { "0.log": ["a".repeat(8 * KB), 0], "1.log": ["b".repeat(8 * KB), 1] });
    const { run_artifacts, stats } = await bundleOf(VAGUE);
    expect(run_artifacts.map(({ size }) => size)).toEqual([8 * KB, 2 * KB - 4]);
    expect(run_artifacts[1]?.content).toEndWith("b\n[... truncated ...]\n");
    expect(stats.run_artifacts_size).toBe(10 * KB - 4);
  });
  test("adaptive caps follow the priority", async () => {
    write("run", Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.log`, ["x", n]])));
    const counts = async (handoff: unknown) =>
      (await bundleOf(handoff, { adaptiveCaps: true, force: true })).stats.run_artifacts_count;
    expect(await counts(VAGUE)).toBe(7);
    expect(await counts({ error_message: "Detailed error message with sufficient context", root_cause: "?" })).toBe(5);
    expect(await counts({ error_message: "x".repeat(30), root_cause: "x".repeat(20) })).toBe(3);
  });
  test("a large log is read at both ends, and shown around its failure", async () => {
    const filler = "nothing happened here\n".repeat(100_000);
    write("run", { "big.log": [`start\n${filler}漢字: ERROR: at the end\n`, 1] });
    const [artifact] = (await bundleOf(VAGUE)).run_artifacts;
    expect(artifact?.content).toContain("漢字: ERROR: at the end\n");
    expect(artifact?.size).toBeWithin(9.9 * KB, 10 * KB + 1);
  });
  test("non-text is skipped, a future time is the newest, and an impossible time is reported", async () => {
    write("run", { "a.bin2": ["\0\0", 0], "empty.log": ["", 0], "b.log": ["b", 1], "future.log": ["f", -1_000] });
    expect(paths((await bundleOf(VAGUE)).run_artifacts)).toEqual(["future.log", "b.log"]);
    expect(isoTime(1e300)).toBe("+275760-09-13T00:00:00Z");
    expect(isoTime(-1)).toBe("1969-12-31T23:59:59Z");
  });
  test("law: the newest in the window come first, whatever the order of the files", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: -50, max: 100 })), { selector: ([path]) => path }),
        fc.nat(),
        (rows, seed) => {
          const files = rows.map(([path, hours]) => ({ path, sizeBytes: 1, modifiedMs: NOW - hours * HOUR, id: path }));
          const order = byRecency(files, NOW);
          const inWindow = order.map(({ modifiedMs }) => NOW - modifiedMs <= 24 * HOUR);
          expect(inWindow).toEqual(inWindow.toSorted((a, b) => Number(b) - Number(a)));
          const times = order.map(({ modifiedMs }) => modifiedMs);
          expect(times).toEqual(times.toSorted((a, b) => b - a));
          const shuffled = files.toSorted(
            (a, b) => ((a.path.length * 31 + seed) % 7) - ((b.path.length * 31 + seed) % 7),
          );
          expect(byRecency(shuffled, NOW)).toEqual(order);
        },
      ),
    ));
});

describe("documents", () => {
  test("the example: by how often the keywords occur, and none at all comes last", async () => {
    write("docs", {
      "error_handling.md": ["database connection database timeout connection", 3],
      "introduction.md": ["welcome", 1],
      "database_guide.md": ["database, connection, timeout", 2],
    });
    const { sot_files } = await bundleOf({ error_message: "database connection timeout" });
    expect(sot_files.map(({ path, relevance_score }) => [path, relevance_score])).toEqual([
      ["docs/error_handling.md", 5],
      ["docs/database_guide.md", 3],
      ["docs/introduction.md", 0],
    ]);
  });
  test("of equal ones the newest first, at most three", async () => {
    write("src", { "a.py": ["timeout", 9], "b.py": ["timeout", 3], "c.py": ["TIMEOUT", 4], "d.py": ["Timeout", 5] });
    const { sot_files } = await bundleOf({ error_message: "timeout" });
    expect(paths(sot_files)).toEqual(["src/b.py", "src/c.py", "src/d.py"]);
    expect(paths((await bundleOf({})).sot_files)).toEqual(["src/b.py", "src/c.py", "src/d.py"]);
  });
  test("15 KB: complete if it fits, else the lines around the hits, as many as fit", async () => {
    const padding = "nothing of interest\n".repeat(2_000);
    write("docs", { "long.md": [`${padding}the timeout is here\ntimeout\n${padding}`, 1], "short.md": ["timeout", 1] });
    const { sot_files, stats } = await bundleOf({ error_message: "timeout" });
    expect(paths(sot_files)).toEqual(["docs/long.md", "docs/short.md"]);
    expect(sot_files[0]?.content).toContain("the timeout is here\n");
    expect(stats.sot_files_size).toBeWithin(14.9 * KB, 15 * KB + 1);
    expect(stats.sot_files_size).toBe(sot_files.reduce((sum, { size }) => sum + size, 0));
    write("docs", { "plain.md": ["x".repeat(20 * KB), 0] });
    expect((await bundleOf({})).sot_files.map(({ size }) => size)).toEqual([15 * KB - 4]);
  });
  test("a ranker by meaning reorders the best; if it fails, keywords decide, with a warning", async () => {
    write("docs", { "a.md": ["timeout timeout", 1], "b.md": ["timeout", 1], "c.md": ["late", 1] });
    const asked: string[] = [];
    const rankByMeaning: EscalationDeps["rankByMeaning"] = async (query, texts) => {
      asked.push(query, ...texts.map(({ text }) => text));
      return texts.map(({ path }) => (path === "docs/c.md" ? 0.9 : 0.1));
    };
    const bundle = await bundleOf({ error_message: "timeout" }, {}, { rankByMeaning });
    expect(paths(bundle.sot_files)).toEqual(["docs/c.md", "docs/a.md", "docs/b.md"]);
    expect(asked).toEqual(["timeout", "timeout timeout", "timeout", "late"]);
    const broken = async () => Promise.reject(new Failed({ code: "no-match", message: "no model" }));
    const without = await bundleOf({ error_message: "timeout" }, {}, { rankByMeaning: broken });
    expect(paths(without.sot_files)).toEqual(["docs/a.md", "docs/b.md", "docs/c.md"]);
    expect(without.warnings).toContain("ranking by meaning was left out: no model");
  });
  test("a document that is not worth showing is named with the reason", async () => {
    write("docs", { "a.md": ["timeout timeout", 1], "b.md": ["timeout", 1], "c.md": ["timeout", 2], "d.md": ["-", 3] });
    const whyHidden: EscalationDeps["whyHidden"] = (path) => (path === "docs/c.md" ? null : "minified");
    write("src", { "e.py": ["-", 3] });
    const { warnings, sot_files } = await bundleOf({ error_message: "timeout" }, {}, { whyHidden });
    expect(paths(sot_files)).toEqual(["docs/c.md"]);
    expect(warnings).toEqual(["the documents: docs/a.md was left out: minified (and 1 more)"]);
  });
  test("an unreadable entry gives one warning", async () => {
    write("docs", { "a.md": ["timeout", 1] });
    const { warnings } = await bundleOf({ error_message: "timeout" });
    expect(warnings).toEqual(["the documents: src: it does not exist"]);
  });
});

describe("memory", () => {
  const ENTRY: MemoryEntry = {
    phase_id: "phase_042",
    error_pattern: "FileNotFoundError: config.yaml",
    resolution: "Created missing config file",
    similarity_score: 0.85,
  };
  test("returns the requested entries; a failing store gives a warning", async () => {
    const asked: unknown[] = [];
    const similarFailures: EscalationDeps["similarFailures"] = async (query, limit) => {
      asked.push(query, limit);
      return [ENTRY];
    };
    const handoff = { error_message: "Error", root_cause: "Unknown", stack_trace: "at f" };
    const bundle = await bundleOf(handoff, {}, { similarFailures });
    expect(asked).toEqual(["Error\nUnknown\nat f", 5]);
    expect(bundle.memory_entries).toEqual([ENTRY]);
    expect(bundle.stats).toMatchObject({ memory_entries_count: 1, memory_entries_size: JSON.stringify(ENTRY).length });
    const many = async () => Array.from({ length: 9 }, () => ENTRY);
    expect((await bundleOf(handoff, {}, { similarFailures: many })).memory_entries).toHaveLength(5);
    const broken = async () => Promise.reject(new Failed({ code: "no-match", message: "it is damaged" }));
    expect((await bundleOf(handoff, {}, { similarFailures: broken })).warnings).toContain(
      "memory was left out: it is damaged",
    );
  });
  test("law: at most five entries and 5 KB, for any store", async () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "漢", "😀", "\n", '"', "x".repeat(400)), { maxLength: 40 })
      .map((parts) => parts.join(""));
    const entry = fc.record({
      phase_id: text,
      error_pattern: text,
      resolution: text,
      similarity_score: fc.double({ noNaN: true, min: 0, max: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 9 }), async (entries) => {
        const { memory_entries, stats } = await bundleOf(VAGUE, {}, { similarFailures: async () => entries });
        const size = memory_entries.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0);
        expect(memory_entries.length).toBeLessThanOrEqual(5);
        expect(size).toBeLessThanOrEqual(5 * KB);
        expect([stats.memory_entries_count, stats.memory_entries_size]).toEqual([memory_entries.length, size]);
        for (const [at, { phase_id, resolution }] of memory_entries.entries()) {
          expect(phase_id).toBe(entries[at]?.phase_id ?? "");
          expect(entries[at]?.resolution).toStartWith(resolution.replace(/\n\[\.\.\. truncated \.\.\.\]\n$/, ""));
        }
      }),
      { numRuns: 15 },
    );
  });
});

test("law: both caps hold for every category, and equal files give equal bundles but for the timestamp", async () => {
  const texts = fc.array(fc.constantFrom("timeout\n", "漢字", "😀", "x".repeat(500), "ERROR: é\n", "\n"), {
    maxLength: 60,
  });
  const files = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,4}\.(md|log)$/),
    fc.tuple(
      texts.map((parts) => parts.join("")),
      fc.integer({ min: 0, max: 60 }).map((hours) => hours + 0.5),
    ),
    { maxKeys: 9 },
  );
  await fc.assert(
    fc.asyncProperty(files, files, fc.boolean(), async (run, docs, adaptiveCaps) => {
      const made = async (order: (files: Written) => Written, nowMs: number) => {
        for (const name of ["run", "docs"]) rmSync(join(folder.path, name), { recursive: true, force: true });
        mkdirSync(join(folder.path, "run"));
        write("run", order(run));
        write("docs", order(docs));
        return await bundleOf({ error_message: "timeout" }, { adaptiveCaps }, { nowMs: () => nowMs });
      };
      const bundle = await made((given) => given, NOW);
      const backwards = (given: Written) => Object.fromEntries(Object.entries(given).reverse());
      const later = await made(backwards, NOW + 5_000);
      expect({ ...later, timestamp: "" }).toEqual({ ...bundle, timestamp: "" });
      expect(later.timestamp).not.toBe(bundle.timestamp);
      for (const [entries, most, bytes] of [
        [bundle.run_artifacts, adaptiveCaps ? 7 : 5, (adaptiveCaps ? 15 : 10) * KB],
        [bundle.sot_files, adaptiveCaps ? 7 : 3, 15 * KB],
      ] as const) {
        expect(entries.length).toBeLessThanOrEqual(most);
        expect(entries.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(bytes);
        for (const { content, size } of entries) expect(Buffer.byteLength(content)).toBe(size);
      }
    }),
    { numRuns: 12 },
  );
});
