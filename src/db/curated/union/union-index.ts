/**
 * Answers from the indexes of several repositories as if they were one: paths begin with the name of their repository.
 *
 * Statistics are counts that add up, so scores of all files are comparable; `repositories` answers from each alone. Repositories
 * are in the order of their paths, so rows ordered by path only need to be joined.
 */
import { createHash } from "node:crypto";
import { Failed } from "../../../failure.ts";
import { inOrder } from "../../../text/order.ts";
import type { KnowledgeBase, OneRepository } from "../knowledge-base.ts";
import type { IndexMeta, LeftOut } from "../meta.ts";
import { onlyOf, type UnionIds, unionIds } from "./union-ids.ts";
import {
  type CrossLinks,
  crossRows,
  edgeUnion,
  fileUnion,
  NO_LINKS,
  proseUnion,
  recallUnion,
  symbolUnion,
} from "./union-rows.ts";
import { skipOfUnion } from "./union-skips.ts";

/**
 * Closing it closes the members. `root` is where the question was asked; what is left out is said of the answers. Throws a usage failure
 * when paths would not tell the members apart.
 */
export function unionIndex(
  members: readonly OneRepository[],
  links: CrossLinks,
  root: string,
  leftOut: readonly LeftOut[] = [],
): KnowledgeBase {
  checkNames(members);
  const parts = members.toSorted((a, b) => inOrder(`${a.name}/`, `${b.name}/`));
  const ids = unionIds(parts);
  const meta = unionMeta(parts, links, root, leftOut);
  let apart: readonly OneRepository[] | null = null;
  return {
    ...answersOf(ids, links),
    meta: () => meta,
    repositories() {
      apart ??= ids.parts.map((part) => ({
        name: part.name,
        kb: { ...answersOf(onlyOf(ids, part), NO_LINKS), meta: () => part.kb.meta(), close() {} },
      }));
      return apart;
    },
    close() {
      for (const { kb } of parts) kb.close();
    },
  };
}

function checkNames(members: readonly OneRepository[]): void {
  for (const [at, { name }] of members.entries()) {
    const other = members.find((one, position) => position !== at && `${one.name}/`.startsWith(`${name}/`));
    if (other === undefined) continue;
    const message = `two repositories cannot be told apart by their names: ${name} and ${other.name}`;
    throw new Failed({ code: "usage", message, next: "ask one of them only" });
  }
}

/** What the members of these ids answer together. */
function answersOf(ids: UnionIds, links: CrossLinks): Omit<KnowledgeBase, "meta" | "close"> {
  const files = { ...fileUnion(ids), skipOf: (path: string) => skipOfUnion(ids.parts, path) };
  const symbols = symbolUnion(ids);
  return {
    ...files,
    ...symbols,
    ...proseUnion(ids),
    ...edgeUnion(ids, crossRows(files, symbols, links)),
    ...recallUnion(ids),
    commitRange() {
      const ranges = ids.parts.flatMap(({ kb }) => kb.commitRange() ?? []);
      if (ranges.length === 0) return null;
      return {
        oldest: Math.min(...ranges.map(({ oldest }) => oldest)),
        newest: Math.max(...ranges.map(({ newest }) => newest)),
      };
    },
    commitHashes: () => ids.parts.flatMap(({ kb }) => kb.commitHashes()),
    search: (query, limit) =>
      ids.parts
        .flatMap(({ name, kb }) => kb.search(query, limit).map((hit) => ({ ...hit, path: `${name}/${hit.path}` })))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit),
  };
}

/** Adds up what the members say of themselves. */
function unionMeta(
  parts: readonly OneRepository[],
  links: CrossLinks,
  root: string,
  leftOut: readonly LeftOut[],
): IndexMeta {
  const metas = parts.map(({ kb }) => kb.meta());
  const [first] = metas;
  if (first === undefined) throw new Error("a union has members");
  const sum = (of: keyof IndexMeta["counts"]): number => metas.reduce((total, { counts }) => total + counts[of], 0);
  const tally = <Key extends string>(
    rows: readonly (readonly [Key, number])[],
  ): readonly (readonly [Key, number])[] => {
    const totals = new Map<Key, number>();
    for (const [key, count] of rows) totals.set(key, (totals.get(key) ?? 0) + count);
    return [...totals].sort((a, b) => b[1] - a[1] || inOrder(a[0], b[0]));
  };
  const lacks = leftOut.length === 0 ? {} : { leftOut };
  const content = [parts.map(({ name }, at) => [name, metas[at]?.contentHash]), links, ...Object.values(lacks)];
  const provisional = metas.flatMap((meta) => meta.provisional ?? []);
  const whole = metas.filter((meta) => meta.provisional === undefined);
  return {
    ...first,
    contentHash: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
    head: null,
    remoteUrl: null,
    historyProblem: metas.every(({ historyProblem }) => historyProblem !== null) ? first.historyProblem : null,
    counts: {
      files: sum("files"),
      symbols: sum("symbols"),
      dependencies: sum("dependencies") + links.imports.length,
      references: sum("references") + links.references.length,
      commits: sum("commits"),
    },
    languages: tally(
      metas.flatMap((meta) => meta.languages.map(({ language, files }) => [language, files] as const)),
    ).map(([language, files]) => ({ language, files })),
    skipped: tally(metas.flatMap((meta) => meta.skipped.map(({ reason, count }) => [reason, count] as const))).map(
      ([reason, count]) => ({ reason, count }),
    ),
    repoPath: root,
    indexedAt: metas.map(({ indexedAt }) => indexedAt).sort(inOrder)[0] ?? "",
    ...lacks,
    ...(provisional.length === 0
      ? {}
      : {
          provisional: {
            parsed:
              provisional.reduce((total, { parsed }) => total + parsed, 0) +
              whole.reduce((total, { counts }) => total + counts.files, 0),
            index: provisional.every(({ index }) => index === "behind") ? "behind" : "none",
          },
          provisionalIn: parts.filter((_, at) => metas[at]?.provisional !== undefined).map(({ name }) => name),
        }),
  };
}
