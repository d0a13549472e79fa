/** The diff under review as text. */
import { counted } from "../../text/counted.ts";
import { isEmptyTree } from "../../text/diff/empty-tree.ts";
import { fenced } from "../../text/markdown.ts";
import type { ContextPackage } from "../model/package-schema.ts";

type Reviewed = Pick<ContextPackage, "review">;

/** What is compared, and the diff; empty without a review, or without room for any of the diff. */
export const diffText = (pkg: Reviewed): string => reviewText(pkg, (diff) => diff);

/** The same for Markdown. */
export const fencedDiff = (pkg: Reviewed): string => reviewText(pkg, (diff) => fenced(diff, "diff"));

function reviewText({ review }: Reviewed, written: (diff: string) => string): string {
  if (review === undefined || review.diff === "") return "";
  const { base, tip, uncommitted, files } = review;
  const sum = (key: "added" | "deleted"): number => files.reduce((total, file) => total + file[key], 0);
  const what = `${counted(files.length, "file")}, +${sum("added")} -${sum("deleted")} lines`;
  const how = uncommitted ? "with uncommitted changes, " : tip === undefined ? "" : `commit ${short(tip)} `;
  return `${what}, ${how}against ${isEmptyTree(base) ? "the empty tree" : `commit ${short(base)}`}:\n${written(review.diff)}`;
}

const HASH_CHARS = 12;
const short = (hash: string): string => hash.slice(0, HASH_CHARS);
