/** The tools of the server, in the order in which clients list them. A tool is one file in this folder and one row here. */
import { ESCALATE } from "./escalate.ts";
import { EXPLAIN } from "./explain.ts";
import { PREMORTEM } from "./premortem.ts";
import { RECALL } from "./recall.ts";
import { REFINE } from "./refine.ts";
import { RETRIEVE } from "./retrieve.ts";
import { SEARCH } from "./search.ts";
import { STATUS } from "./status.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [RETRIEVE, REFINE, SEARCH, EXPLAIN, RECALL, PREMORTEM, ESCALATE, STATUS];
