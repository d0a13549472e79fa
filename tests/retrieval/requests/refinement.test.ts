/** What a request may be, and what follows from one request after another. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failed } from "../../../src/failure.ts";
import { readRefinement } from "../../../src/retrieval/requests/read-refinement.ts";
import {
  asksNothing,
  Constraints,
  joinRequests,
  mergeConstraints,
  NO_CONSTRAINTS,
  REFINEMENT_LISTS,
  type RefinementRequest,
  StoredRequest,
  storedConstraints,
} from "../../../src/retrieval/requests/refinement.ts";
import { isRequestPath, repositoryPath } from "../../../src/retrieval/requests/request-names.ts";
import { anyCharacter } from "../../support/any-character.ts";

const JSON_FILE = { typed: false, file: "r.json" } as const;

function refusal(value: unknown, where: Parameters<typeof readRefinement>[1] = JSON_FILE): string {
  try {
    readRefinement(value, where);
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "usage") return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

test("an empty request is valid and asks for nothing; so does a reason alone", () => {
  expect(readRefinement({}, JSON_FILE)).toEqual({});
  expect(asksNothing(readRefinement({ reason: "too little", missing_files: [] }, JSON_FILE))).toBe(true);
  expect(asksNothing({ error_signatures: ["boom"] })).toBe(false);
});

describe("a wrong request is refused, and the message names the field", () => {
  test.each([
    [[], "r.json: is not a JSON object"],
    [null, "r.json: is not a JSON object"],
    ["accepted_files", "r.json: is not a JSON object"],
    [{ accepted: [] }, 'r.json: unknown field "accepted"'],
    [JSON.parse('{"__proto__": {"accepted_files": ["a"]}}'), 'r.json: unknown field "__proto__"'],
    [JSON.parse('{"constructor": 1}'), 'r.json: unknown field "constructor"'],
    [{ missing_files: "a" }, "r.json: missing_files is not a list of texts"],
    [{ missing_files: { 0: "a", length: 1 } }, "r.json: missing_files is not a list of texts"],
    [
      { missing_files: "a", missing_tests: [1, 2], reason: 3, surplus: 4 },
      'r.json: reason is not a text; missing_files is not a list of texts; missing_tests[0] is not a text; unknown field "surplus"',
    ],
    [{ missing_symbols: ["a", 3] }, "r.json: missing_symbols[1] is not a text"],
    [{ missing_tests: [""] }, "r.json: missing_tests[0] is empty"],
    [{ missing_tests: [" "] }, "r.json: missing_tests[0] is blank"],
    [{ reason: 3 }, "r.json: reason is not a text"],
    [{ reason: "a\u001b[2J" }, "r.json: reason holds control characters"],
    [{ error_signatures: ["a\nb"] }, "r.json: error_signatures[0] holds control characters"],
    [{ accepted_files: ["a\0"] }, "r.json: accepted_files[0] holds control characters"],
    [{ accepted_files: ["x".repeat(1_001)] }, "r.json: accepted_files[0] is longer than 1000 characters"],
    [{ rejected_files: Array.from({ length: 1_001 }, () => "a") }, "r.json: rejected_files has more than 1000 entries"],
    [{ accepted_files: ["../a"] }, 'r.json: accepted_files[0]: "../a" is not a path inside the repository'],
    [
      { rejected_files: ["a", "b/../../c"] },
      'r.json: rejected_files[1]: "b/../../c" is not a path inside the repository',
    ],
    [{ missing_files: ["..\\a"] }, 'r.json: missing_files[0]: "..\\\\a" is not a path inside the repository'],
    [{ missing_files: ["/etc/passwd"] }, 'r.json: missing_files[0]: "/etc/passwd" is not a path inside the repository'],
    [{ missing_files: ["C:\\a"] }, 'r.json: missing_files[0]: "C:\\\\a" is not a path inside the repository'],
    [{ missing_files: ["./"] }, 'r.json: missing_files[0]: "./" is not a path inside the repository'],
    [
      { accepted_files: ["./a//b.ts"], rejected_files: ["a/b.ts"] },
      'r.json: "a/b.ts" is in accepted_files and in rejected_files',
    ],
    [{ as_body: ["a.ts"] }, 'r.json: as_body[0]: "a.ts" is not a path:name inside the repository'],
    [{ left_out: ["a.ts:b", ":b"] }, 'r.json: left_out[1]: ":b" is not a path:name inside the repository'],
    [
      { as_signature: ["/etc/passwd:x"] },
      'r.json: as_signature[0]: "/etc/passwd:x" is not a path:name inside the repository',
    ],
    [{ as_body: ["./a:b"], as_signature: ["a:b"] }, 'r.json: "a:b" is in as_body and in as_signature'],
    [{ missing_files: ["a.ts"], rejected_files: ["a.ts"] }, 'r.json: "a.ts" is in missing_files and in rejected_files'],
  ])("%j", (value, message) => {
    expect(refusal(value)).toBe(`${message}; see: cra schema refinement`);
  });

  test("a typed request is named by its option", () => {
    const typed = { typed: true } as const;
    expect(refusal({ accepted_files: ["a", "../b"] }, typed)).toBe(
      '--accept: "../b" is not a path inside the repository',
    );
    expect(refusal({ missing_symbols: ["a\u0007"] }, typed)).toBe("--missing-symbol holds control characters");
    expect(refusal({ accepted_files: ["a"], rejected_files: ["a"] }, typed)).toBe('"a" is in --accept and in --reject');
  });
});

test("paths are normalized", () => {
  for (const typed of ["a/b.ts", "./a/b.ts", "a//b.ts", "a/c/../b.ts", "a\\b.ts", "a/b.ts/"])
    expect([typed, repositoryPath(typed)]).toEqual([typed, "a/b.ts"]);
});

test("lone surrogates become storable text", () => {
  expect(readRefinement({ missing_symbols: ["a\ud800"] }, JSON_FILE)).toEqual({ missing_symbols: ["a\ufffd"] });
});

const DETAILS = ["as_body", "as_signature", "left_out"] as const;
const NAMES = ["a.py:A", "a.py:A.b", "d/e.py:f"];
const names = fc.subarray(["a.py", "b.py", "c.py", "d/e.py"]);
const requests = fc
  .record({
    accepted_files: names,
    rejected_files: names,
    missing_files: names,
    missing_symbols: fc.subarray(["A", "A.b"]),
    missing_tests: fc.subarray(["test_a", "b.py"]),
    error_signatures: fc.subarray(["boom", "bang"]),
    ways: fc.array(fc.nat(3), { minLength: NAMES.length, maxLength: NAMES.length }),
  })
  .map(({ rejected_files, ways, ...rest }): RefinementRequest => {
    const wanted = new Set([...rest.accepted_files, ...rest.missing_files, ...rest.missing_tests]);
    const details = DETAILS.map((list, way) => [list, NAMES.filter((_, at) => ways[at] === way)]);
    return {
      ...rest,
      ...Object.fromEntries(details),
      rejected_files: rejected_files.filter((path) => !wanted.has(path)),
    };
  });

const after = (list: readonly RefinementRequest[]): Constraints => list.reduce(mergeConstraints, NO_CONSTRAINTS);

test("the later of accepting and rejecting a path wins; nothing else is forgotten", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 8 }), (list) => {
      const held = after(list);
      for (const path of ["a.py", "b.py", "c.py", "d/e.py"]) {
        const wants = (request: RefinementRequest): boolean =>
          [request.accepted_files, request.missing_files, request.missing_tests].some((own) => own?.includes(path));
        const last = list.findLast((request) => wants(request) || request.rejected_files?.includes(path));
        const isRejected = last !== undefined && !wants(last);
        expect(held.rejected_files.includes(path)).toBe(isRejected);
        if (isRejected) expect([...held.accepted_files, ...held.missing_files]).not.toContain(path);
      }
      for (const name of ["missing_symbols", "error_signatures"] as const)
        expect(new Set(held[name])).toEqual(new Set(list.flatMap((request) => request[name] ?? [])));
      for (const name of REFINEMENT_LISTS) expect(new Set(held[name]).size).toBe(held[name].length);
    }),
  );
});

test("the last request for a symbol wins", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 8 }), (list) => {
      const held = after(list);
      for (const name of NAMES) {
        const last = list.findLast((request) => DETAILS.some((way) => request[way]?.includes(name)));
        const holding = DETAILS.filter((way) => held[way].includes(name));
        expect(holding).toEqual(DETAILS.filter((way) => last?.[way]?.includes(name)));
      }
    }),
  );
});

test("constraints stored without lists of detail and changes are read and stored the same", () => {
  const { as_body: _, as_signature: __, left_out: ___, changed: ____, ...older } = NO_CONSTRAINTS;
  const read: Constraints = Constraints.parse(older);
  expect(read).toEqual({ ...older, as_body: [], as_signature: [], left_out: [], changed: [] });
  expect(JSON.stringify(storedConstraints(NO_CONSTRAINTS))).toBe(JSON.stringify(older));
  const wished = mergeConstraints(NO_CONSTRAINTS, { left_out: ["a:b"] });
  const readAgain: Constraints = Constraints.parse(storedConstraints(wished));
  expect(readAgain).toEqual({
    ...older,
    as_body: [],
    as_signature: [],
    left_out: ["a:b"],
    changed: [],
  });
});

test("a repeated request adds nothing, and joining requests of one round first gives the same", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 4 }), requests, requests, (earlier, first, second) => {
      const before = after(earlier);
      const once = mergeConstraints(before, first);
      expect(mergeConstraints(once, first)).toEqual(once);
      const joined = joinRequests(first, second);
      const [at, apart] = [mergeConstraints(before, joined), mergeConstraints(once, second)];
      // A path that was accepted, rejected and missed is in for one reason or for both.
      const inside = ({ accepted_files, missing_files, missing_tests }: Constraints) =>
        new Set([...accepted_files, ...missing_files, ...missing_tests]);
      expect(inside(at)).toEqual(inside(apart));
      for (const list of ["rejected_files", ...DETAILS] as const) expect([list, at[list]]).toEqual([list, apart[list]]);
      expect(StoredRequest.safeParse(joined).success).toBe(true);
    }),
  );
});

test("the newer reason wins", () => {
  expect(joinRequests({ reason: "old" }, { reason: "new" }).reason).toBe("new");
  expect(joinRequests({ reason: "old" }, { missing_files: ["a"] })).toEqual({ reason: "old", missing_files: ["a"] });
});

test("isRequestPath accepts exactly the paths that readRefinement accepts", () => {
  const part = fc.constantFrom(
    "a",
    "..",
    ".",
    "/",
    "\\",
    "C:",
    " ",
    "\u001f",
    "\u009f",
    "\u00a0",
    "\ud800",
    "b".repeat(499),
  );
  const path = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join("")),
  );
  const isRead = (request: RefinementRequest): boolean => {
    try {
      readRefinement(request, JSON_FILE);
      return true;
    } catch (error) {
      if (error instanceof Failed) return false;
      throw error;
    }
  };
  fc.assert(
    fc.property(path, (typed) => {
      expect(isRequestPath(typed)).toBe(isRead({ accepted_files: [typed] }));
      expect(isRequestPath(typed)).toBe(isRead({ rejected_files: [typed] }));
    }),
    { numRuns: 2_000 },
  );
});
