/**
 * Which of several files that define one name a file means, by where they stand.
 *
 * Builds lay sources out as `<module>/src/<source set>/...`. A file sees its own module and source set first, then
 * the source set that it tests, then its module, then everything. Definitions that stay side by side (expect and
 * actual, one for each version of Scala) are all meant while they are few; more say nothing.
 */
import { isTestPath } from "../../../languages/file-role.ts";

/** More candidates than this are different things of one name. */
const CANDIDATES_MAX = 6;

type Place = { readonly module: string; readonly sourceSet: string };

/** The files among those that define a name that a file means, in their order. */
export function meantFrom(path: string, candidates: readonly string[]): readonly string[] {
  if (candidates.length < 2) return candidates;
  const sources = candidates.filter((candidate) => !isTest(candidate));
  const seen = isTest(path) || sources.length === 0 ? candidates : sources;
  const own = placeOf(path);
  const near = (isNear: (place: Place) => boolean): readonly string[] =>
    seen.filter((candidate) => isNear(placeOf(candidate)));
  const inModule = ({ module }: Place): boolean => module === own.module;
  const steps = [
    seen.filter((candidate) => candidate === path),
    near((place) => inModule(place) && place.sourceSet === own.sourceSet),
    near((place) => inModule(place) && tested(place.sourceSet) === tested(own.sourceSet)),
    near(inModule),
  ];
  const chosen = steps.find((step) => step.length > 0) ?? seen;
  return chosen.length > CANDIDATES_MAX ? [] : chosen;
}

function placeOf(path: string): Place {
  const [, module = "", sourceSet] = /^(?:(.*?)\/)?src\/([^/]+)\//.exec(path) ?? [];
  return sourceSet === undefined ? { module: "", sourceSet: "" } : { module, sourceSet };
}

/** `commonMain` and `commonTest` are `common`, `main` and `test` are nothing. */
const tested = (sourceSet: string): string => sourceSet.replace(/(?:Main|Test|main|test|it)$/, "");

/** Source sets of tests are named so (`jvmTest`), wherever else tests stand. */
const isTest = (path: string): boolean => isTestPath(path) || /Test$/.test(placeOf(path).sourceSet);
