/**
 * The repositories of a union, and their row ids as ids of the union: of N repositories, row n of the one at position p is row
 * n × N + p of the union.
 */
import type { OneRepository } from "../knowledge-base.ts";

/** A member and its position. */
export type Part = OneRepository & { readonly at: number };

/** Translates ids between the union and its members. */
export type UnionIds = {
  readonly parts: readonly Part[];
  /** How many members the union has. */
  readonly count: number;
  up(part: Part, id: number): number;
  upOrNull(part: Part, id: number | null): number | null;
  /** Asks every member that has some of the rows, with its own ids, and joins the answers. */
  ask<T>(unionIds: readonly number[], question: (part: Part, ids: readonly number[]) => readonly T[]): readonly T[];
};

export const unionIds = (members: readonly OneRepository[]): UnionIds =>
  idsAmong(
    members.map((member, at) => ({ ...member, at })),
    members.length,
  );

/** The same ids, for questions to one of the members alone. */
export const onlyOf = ({ count }: UnionIds, part: Part): UnionIds => idsAmong([part], count);

function idsAmong(parts: readonly Part[], count: number): UnionIds {
  const up = ({ at }: Part, id: number): number => id * count + at;
  return {
    parts,
    count,
    up,
    upOrNull: (part, id) => (id === null ? null : up(part, id)),
    ask(unionIds, question) {
      const byPart = Map.groupBy(unionIds, (id) => id % count);
      return parts.flatMap((part) => {
        const own = byPart.get(part.at) ?? [];
        return own.length === 0
          ? []
          : question(
              part,
              own.map((id) => Math.floor(id / count)),
            );
      });
    },
  };
}
