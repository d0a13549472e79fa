/**
 * Tests of C and C++, which macros define: `TEST(Suite, name) {`, `TEST_CASE("title", "[tag]") {`.
 *
 * A grammar reads such a head as a function if what it lists is one type or nothing. So of the arguments only the fixture
 * stays, and the symbol's name is read from the original text (`tests.scm`).
 */
import { blank } from "../../text/lines.ts";

/** Bounded, because a line may be one long name. */
const MACRO = "(?:[A-Z0-9]{1,40}_){0,6}(?:TEST|SCENARIO|BENCHMARK)(?:_[A-Z0-9]{1,40}){0,6}";
const ARGUMENTS = String.raw`(?:[^()";{}\\#]|"(?:[^"\\\n]|\\.){0,400}"|\([^()]{0,200}\)){0,600}`;
const HEAD = new RegExp(
  String.raw`^([ \t]*)(${MACRO})([ \t]*\()(${ARGUMENTS})\)(?=(?:[ \t]*\/\/[^\n]{0,200})?\s{0,200}\{)`,
  "gm",
);
const SUITE = /^(?:DOCTEST_)?TEST_SUITE$/;
const WITH_FIXTURE = /^(?!BOOST_)(?:.*_)?(?:TEST(?:_[A-Z])?|TEST_CASE_FIXTURE|FIXTURE|METHOD)$/;

/** A text of the same length in which tests look like functions, and named suites like namespaces without a name. */
export const withPlainTests = (text: string): string =>
  /TEST|SCENARIO|BENCHMARK/.test(text) ? text.replace(HEAD, plainHead) : text;

function plainHead(head: string, indent: string, macro: string, open: string, inside: string): string {
  if (inside.trim() === "") return head;
  if (!SUITE.test(macro)) return `${indent}${macro}${open}${withFixtureOnly(macro, inside)})`;
  return `${indent}${"namespace".padEnd(macro.length + open.length)}${blank(inside)} `;
}

/** The arguments of a test without all but its fixture. */
function withFixtureOnly(macro: string, inside: string): string {
  const [first, second] = /^(\s*[\w:]+\s*)(?:,(\s*[\w:]+\s*))?(?=,|$)/.exec(inside)?.slice(1) ?? [];
  if (first !== undefined && inside[first.length] === "," && WITH_FIXTURE.test(macro))
    return first + blank(inside.slice(first.length));
  if (first === undefined || second === undefined || macro !== "BOOST_FIXTURE_TEST_CASE") return blank(inside);
  const start = first.length + 1;
  return blank(inside.slice(0, start)) + second + blank(inside.slice(start + second.length));
}

const TEST = new RegExp(String.raw`^${MACRO}[ \t]*\(`);

/** Whether the signature of a function is the head of a test: its name is a title, which nothing calls. */
export const isTest = (signature: string): boolean => TEST.test(signature);

/** `TEST_F(Fixture, name)` of GoogleTest, `TEST_CASE_METHOD(Fixture, "title")` of Catch2, `TEST_CASE_FIXTURE` of doctest. */
const FIXTURE_FIRST =
  /^(?:[A-Z]{1,40}_)?(?:TEST_[FP]|TYPED_TEST(?:_P)?|TEST_FIXTURE|TEST_CASE_FIXTURE|(?:TEST_CASE|SCENARIO)_METHOD|TEST_CASE_PERSISTENT_FIXTURE)[ \t]*\([ \t]*([\w:]+)[ \t]*,/;
const FIXTURE_SECOND = /^BOOST_FIXTURE_TEST_CASE[ \t]*\([^,()]*,[ \t]*([\w:]+)[ \t]*[,)]/;

/** The class of which a test is a member, or null. */
export const fixtureIn = (signature: string): string | null =>
  (FIXTURE_FIRST.exec(signature) ?? FIXTURE_SECOND.exec(signature))?.[1]?.replaceAll("::", ".") ?? null;
