/** Git's empty tree: what a first commit is compared with. Its hash follows from the format of a repository, which need not hold it. */

const HASHES: readonly string[] = [
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/** The empty tree of the repository that a commit with this hash is from. */
export const emptyTreeBeside = (commit: string): string => HASHES.find(({ length }) => length === commit.length) ?? "";

export const isEmptyTree = (hash: string): boolean => HASHES.includes(hash);
