/**
 * Plans where cases run: which share a repository, in which order, and in which folders.
 *
 * A name in a case file never becomes a path as it is.
 */

import { join } from "node:path";
import { inOrder } from "../text/order.ts";
import type { ReadCase } from "./cases.ts";

/** The cases of one repository. `from` is its source folder, `folder` the work folder for it. */
export type CaseGroup = {
  readonly name: string;
  readonly from: string;
  readonly folder: string;
  readonly cases: readonly ReadCase[];
};

/** Groups cases by source folder, the largest groups first, each in order of date. */
export function groupsOf(
  cases: readonly ReadCase[],
  { work, folderOf }: { readonly work: string; readonly folderOf: (one: ReadCase) => string },
): readonly CaseGroup[] {
  return [...Map.groupBy(cases, folderOf)]
    .map(([from, list]) => {
      const name = list[0]?.repo ?? from.split(/[\\/]/).findLast((part) => part !== "") ?? "repository";
      return { name, from, folder: join(work, safeName(name, from)), cases: list.toSorted(byDate) };
    })
    .sort((a, b) => b.cases.length - a.cases.length || inOrder(a.folder, b.folder));
}

/** A readable folder name, different for every `place`. */
export function safeName(name: string, place: string): string {
  const readable = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "+")
    .replace(/^\.+/, "")
    .slice(0, 60);
  return `${readable}-${new Bun.CryptoHasher("sha256").update(place).digest("hex").slice(0, 8)}`;
}

/** Dates can have any UTC offset. */
const timeOf = ({ baseDate }: ReadCase): number => (baseDate === null ? 0 : Date.parse(baseDate) || 0);

const byDate = (a: ReadCase, b: ReadCase): number => timeOf(a) - timeOf(b) || inOrder(a.id, b.id);
