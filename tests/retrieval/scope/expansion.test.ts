import { expect, test } from "bun:test";
import {
  coChangeNeighbours,
  dependencyNeighbours,
  metadataMatches,
  type Relations,
} from "../../../src/retrieval/scope/expansion.ts";

const pathOf = (id: number): string => `f${id}`;
const words = (relations: Relations) => [...relations].map(([id, relation]) => [id, relation.words]);

test("dependencies are added in both directions, each with its relation, without known files", () => {
  const edges = [
    { source: 1, target: 2, kind: "import" as const },
    { source: 3, target: 1, kind: "import" as const },
    { source: 4, target: 1, kind: "type_ref" as const },
    { source: 1, target: 9, kind: "import" as const },
    { source: 5, target: 6, kind: "import" as const },
  ];
  expect(words(dependencyNeighbours(new Set([1]), edges, new Set([1, 9]), 1, pathOf))).toEqual([
    [2, "imported by f1"],
    [3, "imports f1"],
    [4, "imports types of f1"],
  ]);
  expect(words(dependencyNeighbours(new Set([5]), edges, new Set([1, 5]), 2, pathOf))).toEqual([
    [6, "imported by f5 (2 hops from a seed)"],
  ]);
});

test("co-change neighbours count from three common commits, and the strongest pair is named", () => {
  const pairs = [
    { a: 1, b: 2, count: 3 },
    { a: 1, b: 3, count: 2 },
    { a: 2, b: 7, count: 9 },
    { a: 4, b: 7, count: 5 },
    { a: 1, b: 4, count: 4 },
  ];
  expect(words(coChangeNeighbours(new Set([1, 7]), pairs, new Set([1, 7]), pathOf))).toEqual([
    [2, "changed together with f7 9 times"],
    [4, "changed together with f7 5 times"],
  ]);
});

test("metadata matches by domain, module and concept", () => {
  const row = { purpose: null, module: null, domain: null, concepts: [] };
  const rows = [
    { ...row, fileId: 1, domain: "Auth", concepts: ["login", "ldap"] },
    { ...row, fileId: 2, module: "billing" },
    { ...row, fileId: 3, concepts: ["ldap"] },
  ];
  expect(words(metadataMatches(rows, new Set(["auth", "ldap"]), new Set([3])))).toEqual([
    [1, "its metadata shares Auth, ldap with the task"],
  ]);
});
