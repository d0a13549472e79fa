/** The changes of a round since another one. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { CHANGE_KINDS, Changes, type ShownItem } from "../../../src/retrieval/model/changes.ts";
import { changesSince } from "../../../src/retrieval/refinement/changes.ts";

const shown = (path: string, item: string, detail: ShownItem["detail"], tier: ShownItem["tier"] = "primary") => ({
  path,
  item,
  detail,
  tier,
});

const lines = (before: readonly ShownItem[], now: readonly ShownItem[]): readonly string[] => {
  const changes = Changes.parse(changesSince(1, before, now));
  return CHANGE_KINDS.flatMap((kind) =>
    (changes[kind] ?? []).map((row) => `${kind} ${row.path} ${row.item ?? "-"}: ${row.before} > ${row.detail}`),
  );
};

test("files and items are added, dropped, promoted and demoted", () => {
  const before = [
    shown("a.py", "f", "body"),
    shown("a.py", "g", "signature"),
    shown("b.py", "h", "signature"),
    shown("c.py", "lines", "excerpt"),
  ];
  const now = [
    shown("a.py", "f", "excerpt"),
    shown("a.py", "g", "body"),
    shown("b.py", "h", "body"),
    shown("d.py", "k", "signature"),
  ];
  expect(lines(before, now)).toEqual([
    "added d.py -: none > signature",
    "added d.py k: none > signature",
    "dropped c.py -: excerpt > none",
    "dropped c.py lines: excerpt > none",
    "promoted b.py -: signature > body",
    "promoted a.py g: signature > body",
    "promoted b.py h: signature > body",
    "demoted a.py f: body > excerpt",
  ]);
});

test("a change of tier with the same detail is a promotion or demotion", () => {
  const at = (tier: ShownItem["tier"]) => [shown("a.py", "f", "signature", tier)];
  expect(lines(at("supporting"), at("primary"))).toEqual(["promoted a.py f: signature > signature"]);
  expect(lines(at("primary"), at("type_context"))).toEqual(["demoted a.py f: signature > signature"]);
});

test("an item whose text differs is edited, unless it is shown in another detail or nobody knows its text", () => {
  const known = (text: string, detail: ShownItem["detail"] = "body") => [{ ...shown("a.py", "f", detail), text }];
  expect(lines(known("0a"), known("0b"))).toEqual(["edited a.py f: body > body"]);
  expect(lines(known("0a"), known("0a"))).toEqual([]);
  expect(lines([shown("a.py", "f", "body")], known("0b"))).toEqual([]);
  expect(changesSince(1, [shown("a.py", "f", "body")], known("0b")).edited).toBeUndefined();
  expect(lines(known("0a"), known("0b", "signature"))).toEqual([
    "demoted a.py -: body > signature",
    "demoted a.py f: body > signature",
  ]);
});

test("items of the same name are compared in order", () => {
  const two = [shown("a.ts", "parse", "signature"), shown("a.ts", "parse", "body")];
  expect(lines(two, two)).toEqual([]);
  expect(lines(two, two.slice(0, 1))).toEqual(["dropped a.ts parse: body > none", "demoted a.ts -: body > signature"]);
});

test("long lists are truncated and count what is left out; files stay", () => {
  const many = Array.from({ length: 300 }, (_, at) => shown("a.py", `f${at}`, "body"));
  const { added, left_out, since_round } = changesSince(4, [], many);
  expect([added.length, left_out, since_round, added[0]?.item]).toEqual([200, 101, 4, null]);
});

const items = fc.array(
  fc
    .tuple(
      fc.constantFrom("a", "b", "c"),
      fc.constantFrom("f", "g", "toString", "__proto__"),
      fc.constantFrom("body", "excerpt", "signature"),
      fc.constantFrom("primary", "tests", "supporting"),
    )
    .map(([path, item, detail, tier]) => shown(path, item, detail, tier)),
  { maxLength: 12 },
);

test("a round has no changes against itself, and swapping the rounds reverses the changes", () => {
  fc.assert(
    fc.property(items, items, (one, other) => {
      expect(lines(one, one)).toEqual([]);
      const [there, back] = [changesSince(1, one, other), changesSince(1, other, one)];
      const reversed = (rows: Changes["added"]) =>
        rows.map(({ detail, before, ...row }) => ({ ...row, detail: before, before: detail }));
      expect(back.dropped).toEqual(reversed(there.added));
      expect(back.demoted).toEqual(reversed(there.promoted));
    }),
  );
});
