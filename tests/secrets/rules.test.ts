/** Each rule's markers and pattern belong together, and how far a pattern reads from a marker has a limit. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { markerTable } from "../../src/secrets/marker-table.ts";
import { markerSearch } from "../../src/secrets/markers.ts";
import { PATTERN_RULES } from "../../src/secrets/rules.ts";

const RULES = PATTERN_RULES.map((rule, at) => ({ ...rule, at }));

/** The pattern as a generator understands it: what it looks for around the match is written out, what it excludes is not. */
const generable = (source: string): RegExp =>
  new RegExp(
    `^(?:${withoutExclusions(source)
      .replaceAll(/\(\?(?:<?=|<\w+>)/g, "(?:")
      .replaceAll(
        /\{(\d+),(\d{2,})\}/g,
        (_, least: string, most: string) => `{${least},${Math.min(Number(most), Number(least) + 4)}}`,
      )})$`,
  );
const EXCLUSION = /\(\?<?!(?:\\.|\[[^\]]*\]|[^()[\]\\])*\)/g;
const withoutExclusions = (source: string): string => source.replaceAll(EXCLUSION, "").replaceAll(EXCLUSION, "");

/** How it is written where only the decoded text holds the marker. */
const asDecoded = (marker: string): string => marker.replace(/[\\%&]$/, '"');

test.each(RULES)("markers and pattern of $kind ($at)", (rule) => {
  const { markers, source, anyCase } = rule;
  const pattern = new RegExp(source, anyCase ? "iy" : "y");
  const hitsIn = markerSearch([rule], markerTable([rule], []));
  const seen = new Set<string>();
  for (const key of fc.sample(fc.stringMatching(generable(source)), { numRuns: 150, seed: 1 })) {
    const text = ` ${key} `;
    const places = hitsIn(text).filter(({ rule: found, at }) => {
      pattern.lastIndex = at;
      return found !== null && pattern.test(text);
    });
    if (places.length === 0) expect([key, "has a marker where the pattern matches"]).toEqual([]);
    for (const { at, end } of places) seen.add(text.slice(at, end).toLowerCase());
  }
  const expected = markers.map((marker) => asDecoded(marker.replace(/\?.*/, "")).toLowerCase());
  expect([...seen].sort()).toEqual([...new Set(expected)].sort());
});

test.each(RULES)("limits of $kind ($at)", ({ source }) => {
  const outsideClasses = source.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  expect(outsideClasses).not.toMatch(/[*+]|\{\d+,\}/);
  // Groups that may vary are not repeated, but for one whose repetitions a dot tells apart.
  const repeated = [...outsideClasses.matchAll(/\([^()]*\{\d+,\d+\}[^()]*\)(?:\{\d+(?:,\d+)?\})/g)].map(
    ([group]) => group,
  );
  expect(repeated.every((group) => group === "(?:xx{0,8000}){1,3}")).toBe(true);
});
