/** All commands, in the order of help. */
import { GLOBAL_OPTIONS } from "../options/global-options.ts";
import type { CommandTable } from "../syntax/command.ts";
import { CLEAN } from "./clean.ts";
import { COMPLETIONS } from "./completions.ts";
import { CONFIG } from "./config.ts";
import { DOCTOR } from "./doctor.ts";
import { ENRICH } from "./enrich.ts";
import { ESCALATE } from "./escalate.ts";
import { EVALUATE } from "./evaluate.ts";
import { EXPLAIN } from "./explain.ts";
import { FORGET } from "./forget.ts";
import { HOOK } from "./hook.ts";
import { INDEX } from "./index-repo.ts";
import { LOG } from "./log.ts";
import { MAN } from "./man.ts";
import { MCP } from "./mcp.ts";
import { PREMORTEM } from "./premortem.ts";
import { PUSH } from "./push.ts";
import { RECALL } from "./recall.ts";
import { REFINE } from "./refine.ts";
import { REMEMBER } from "./remember.ts";
import { REPORT } from "./report.ts";
import { RETRIEVE } from "./retrieve.ts";
import { SCHEMA } from "./schema.ts";
import { SEARCH } from "./search.ts";
import { SERVE } from "./serve.ts";
import { SESSIONS } from "./sessions.ts";
import { SETUP } from "./setup.ts";
import { STATUS } from "./status.ts";
import { STORE } from "./store.ts";
import { TUI } from "./tui.ts";
import { VALUES } from "./values.ts";
import { WORK } from "./work.ts";

export const COMMAND_TABLE: CommandTable = {
  commands: [
    INDEX,
    RETRIEVE,
    ENRICH,
    REFINE,
    TUI,
    EVALUATE,
    SEARCH,
    EXPLAIN,
    REPORT,
    LOG,
    SESSIONS,
    ESCALATE,
    REMEMBER,
    FORGET,
    RECALL,
    PREMORTEM,
    VALUES,
    PUSH,
    WORK,
    STORE,
    STATUS,
    DOCTOR,
    CLEAN,
    CONFIG,
    SETUP,
    MCP,
    SERVE,
    HOOK,
    COMPLETIONS,
    MAN,
    SCHEMA,
  ],
  globalOptions: GLOBAL_OPTIONS,
};
