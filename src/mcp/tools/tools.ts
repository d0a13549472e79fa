/**
 * The tools of the server, one row each, in the order in which clients list them. Adding a tool is adding a row.
 */
import { ESCALATE, PREMORTEM, RECALL } from "./failure-tools.ts";
import { EXPLAIN, SEARCH, STATUS } from "./lookup-tools.ts";
import { REFINE, RETRIEVE } from "./package-tools.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [RETRIEVE, REFINE, SEARCH, EXPLAIN, RECALL, PREMORTEM, ESCALATE, STATUS];
