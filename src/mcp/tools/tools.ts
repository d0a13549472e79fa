/**
 * The tools of the server, in the order in which clients list them. A tool is one file in this folder and one row here.
 *
 * Every listed tool takes room in the context of every task, so only those that agents choose rightly are listed by default. The others
 * answer when they are called by name.
 */
import { Failed } from "../../failure.ts";
import { ESCALATE } from "./escalate.ts";
import { EXPLAIN } from "./explain.ts";
import { PREMORTEM } from "./premortem.ts";
import { READ } from "./read.ts";
import { RECALL } from "./recall.ts";
import { REFINE } from "./refine.ts";
import { RETRIEVE } from "./retrieve.ts";
import { SEARCH } from "./search.ts";
import { STATUS } from "./status.ts";
import type { Tool } from "./tool.ts";

const DEFAULT_TOOLS: readonly Tool[] = [RETRIEVE, REFINE, READ, SEARCH, EXPLAIN];
const FURTHER_TOOLS: readonly Tool[] = [RECALL, PREMORTEM, ESCALATE, STATUS];

export const TOOLS: readonly Tool[] = [...DEFAULT_TOOLS, ...FURTHER_TOOLS];

const FURTHER_NAMES = FURTHER_TOOLS.map(({ name }) => name);

/** The tools to list: the default ones, and those that are named; "all" for all. Throws a usage failure for another name. */
export function listedTools(names: readonly string[]): readonly Tool[] {
  const unknown = names.find((name) => name !== "all" && !TOOLS.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    const message = `--tools: there is no tool ${JSON.stringify(unknown.slice(0, 60))}`;
    throw new Failed({ code: "usage", message, next: `name all, or of ${FURTHER_NAMES.join(", ")}` });
  }
  return TOOLS.filter((tool) => DEFAULT_TOOLS.includes(tool) || names.includes(tool.name) || names.includes("all"));
}
