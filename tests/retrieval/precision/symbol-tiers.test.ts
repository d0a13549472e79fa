import { expect, test } from "bun:test";
import type { ReferenceRow } from "../../../src/db/curated/knowledge-base.ts";
import type { ScopedFile } from "../../../src/retrieval/model/selection.ts";
import { placedInOrder, placeSymbols, type TierInput } from "../../../src/retrieval/precision/symbol-tiers.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { callRow, symbolRow as symbol } from "../../support/symbol-row.ts";

const file = (id: number, path: string, isTest = false): ScopedFile => ({
  file: {
    id,
    path,
    language: "python",
    lineCount: 1,
    tokenCount: 1,
    isTest,
    modifiedAt: null,
  },
  tier: "ranked",
  relation: "",
  score: { fileId: id, path, total: 1, terms: [] },
  rank: id,
});
const reference = (caller: number, callee: number, kind = "call", confidence = 0.9): ReferenceRow =>
  callRow(caller, callee, confidence, kind);

type Case = Partial<Omit<TierInput, "task" | "docWords" | "referencesFrom" | "scores">> & {
  readonly task: string;
  readonly scores?: Readonly<Record<number, number>>;
  readonly docs?: Readonly<Record<number, string>>;
  readonly references?: readonly ReferenceRow[];
};
const check = (name: string, given: Case, expected: string) =>
  test(name, () => {
    const placed = placeSymbols({
      files: [file(1, "a.py"), file(2, "b.py"), file(3, "test_a.py", true)],
      seeds: [],
      symbols: [],
      ...given,
      task: analyzeTask(given.task, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() }),
      scores: new Map(Object.entries(given.scores ?? {}).map(([id, score]) => [Number(id), score])),
      docWords: (id) => new Set((given.docs?.[id] ?? "").split(" ")),
      referencesFrom: (ids) => (given.references ?? []).filter(({ caller }) => ids.includes(caller)),
    });
    expect(
      placed
        .map(({ symbol: { name: n }, tier, floor, why }) => `${n}: ${tier}${floor ? " (floor)" : ""}, ${why}`)
        .join("\n"),
    ).toBe(expected);
  });
const seed = (fileId: number, symbols: readonly number[] = []) => ({ fileId, symbols, reason: "", given: false });

check(
  "what the task names is the floor; what it calls supports it; types are context; the rest is out",
  {
    task: "fix validate_login",
    seeds: [seed(1, [1])],
    symbols: [
      symbol(1, 1, "validate_login"),
      symbol(2, 2, "check_password"),
      symbol(3, 2, "LoginRequest", "class"),
      symbol(4, 2, "unrelated"),
    ],
    references: [reference(1, 2), reference(1, 3, "type")],
  },
  `validate_login: primary (floor), the task names it
check_password: supporting, called by validate_login
LoginRequest: type_context, used as a type by validate_login`,
);

check(
  "a seed file without a named symbol gives what matches by name, else by documentation, else by kind",
  {
    task: "fix the password check in a.py and b.py",
    seeds: [seed(1), seed(2)],
    symbols: [
      symbol(1, 1, "check_password"),
      symbol(2, 1, "other"),
      symbol(3, 2, "verify"),
      symbol(4, 2, "Thing", "class"),
    ],
    docs: { 3: "compares the password" },
  },
  `check_password: primary (floor), its name matches the task, in a file the task names
verify: primary (floor), its documentation matches the task, in a file the task names`,
);

check(
  "nothing matches in the seed: functions for a bug",
  { task: "fix crash in a.py", seeds: [seed(1)], symbols: [symbol(1, 1, "zzz"), symbol(2, 1, "Yyy", "class")] },
  "zzz: primary (floor), a function or method of a file the task names",
);

check(
  "nothing matches in the seed: classes for a feature",
  { task: "add retries to a.py", seeds: [seed(1)], symbols: [symbol(1, 1, "zzz"), symbol(2, 1, "Yyy", "class")] },
  "Yyy: primary (floor), a class or interface of a file the task names",
);

const SMALL = {
  task: "fix crash in a.py",
  seeds: [{ ...seed(1), isPath: true as const }],
  symbols: [symbol(1, 1, "zzz"), symbol(2, 1, "Yyy", "class"), { ...symbol(3, 1, "mmm", "method"), parentId: 2 }],
};

check(
  "a small file that is named itself is meant with all that stands at its top",
  SMALL,
  `zzz: primary (floor), a function or method of a file the task names
Yyy: primary (floor), in a file the task names
mmm: primary (floor), a function or method of a file the task names`,
);

const large = file(1, "a.py");
check(
  "a large one is not",
  { ...SMALL, files: [{ ...large, file: { ...large.file, lineCount: 10_000 } }] },
  `zzz: primary (floor), a function or method of a file the task names
mmm: primary (floor), a function or method of a file the task names`,
);

check(
  "of files that a name may mean, the one with a symbol that the task names is meant",
  {
    task: "fix run in a.py",
    seeds: [
      { ...seed(1), reason: "the task names a.py", first: "file" },
      { ...seed(2, [2]), reason: "the task names a.py", first: "file" },
    ],
    symbols: [symbol(1, 1, "stop"), symbol(2, 2, "run")],
  },
  "run: primary (floor), the task names it",
);

check(
  "what a request asks for as missing is in the floor, however much else of its file matches better",
  {
    task: "fix the parser in a.py",
    seeds: [{ ...seed(1), missing: [9] }],
    symbols: Array.from({ length: 9 }, (_, at) => symbol(at + 1, 1, `parser_${at + 1}`)),
    scores: { 1: 0.09, 2: 0.08, 3: 0.07, 4: 0.06, 5: 0.05, 6: 0.04, 7: 0.03, 8: 0.02, 9: 0.01 },
  },
  [
    ...[1, 2, 3, 4].map((at) => `parser_${at}: primary (floor), its name matches the task, in a file the task names`),
    "parser_9: primary (floor), asked for as missing",
  ].join("\n"),
);

check(
  "a method comes with the bases of its class, and with nothing else that the class uses",
  {
    task: "fix run",
    symbols: [
      symbol(1, 1, "Runner", "class"),
      { ...symbol(2, 1, "run", "method"), parentId: 1 },
      symbol(3, 2, "Base", "class"),
      symbol(4, 2, "helper"),
    ],
    scores: { 2: 1 },
    references: [reference(1, 3, "inherit"), reference(1, 4)],
  },
  "run: primary, ranked by search\nBase: type_context, inherited by run",
);

check(
  "search brings in what scores a tenth of the best, no less",
  {
    task: "slow parse",
    symbols: [symbol(1, 1, "parse"), symbol(2, 1, "scan"), symbol(3, 1, "emit")],
    scores: { 1: 1, 2: 0.1, 3: 0.099 },
  },
  "parse: primary, ranked by search\nscan: primary, ranked by search",
);

check(
  "a test comes in by its own name only: neither by relation nor by its class",
  {
    task: "fix validate_login",
    symbols: [
      symbol(1, 1, "validate_login"),
      symbol(2, 3, "test_validate_login"),
      symbol(3, 3, "test_other"),
      symbol(4, 3, "LoginTests", "class"),
    ],
    scores: { 1: 1, 2: 0.5, 3: 0.5, 4: 0.5 },
    references: [reference(1, 3)],
  },
  "validate_login: primary, ranked by search\ntest_validate_login: primary, ranked by search",
);

check(
  "guesses among several same-named symbols bring nothing in; types of supporting symbols do come in",
  {
    task: "fix run",
    symbols: [
      symbol(1, 1, "run"),
      symbol(2, 2, "guess"),
      symbol(3, 2, "step"),
      symbol(4, 2, "Step", "interface"),
      symbol(5, 2, "deeper"),
    ],
    scores: { 1: 1 },
    references: [reference(1, 2, "call", 0.3), reference(1, 3), reference(3, 4, "type"), reference(3, 5)],
  },
  "run: primary, ranked by search\nstep: supporting, called by run\nStep: type_context, used as a type by step",
);

test("the floor has every symbol that the task names, up to a limit", () => {
  const symbols = Array.from({ length: 60 }, (_, index) => symbol(index + 1, 1, `named_${index}`));
  const floorOf = (count: number) =>
    placeSymbols({
      task: analyzeTask("x", { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() }),
      files: [file(1, "a.py")],
      seeds: [
        seed(
          1,
          symbols.slice(0, count).map(({ id }) => id),
        ),
      ],
      symbols,
      scores: new Map(),
      docWords: () => new Set(),
      referencesFrom: () => [],
    }).filter(({ floor }) => floor).length;
  expect(floorOf(12)).toBe(12);
  expect(floorOf(60)).toBe(40);
});

test("the order is that of the files, then of tiers, then of scores, then of lines, whatever the ids", () => {
  const placed = (id: number, fileId: number, tier: "primary" | "supporting", score: number, startLine: number) => ({
    symbol: symbol(id, fileId, `s${id}`, "function", { startLine }),
    tier,
    floor: false,
    score,
    why: "",
    usedBy: [],
  });
  const list = [
    placed(6, 1, "primary", 0.9, 60),
    placed(5, 1, "primary", 0.5, 10),
    placed(1, 1, "primary", 0.5, 20),
    placed(2, 1, "supporting", 0.95, 5),
    placed(3, 2, "primary", 1, 1),
  ];
  const ids = (given: typeof list): readonly number[] =>
    placedInOrder(given, [file(2, "b.py"), file(1, "a.py")]).map(({ symbol: { id } }) => id);
  expect([ids(list), ids(list.toReversed())]).toEqual([
    [6, 5, 1, 2, 3],
    [6, 5, 1, 2, 3],
  ]);
});
