/**
 * The options of `cra tui`.
 */

import { WITH_MEMORY } from "../commands/memory-commands.ts";
import type { Option } from "../syntax/command.ts";
import { JUDGING_OPTIONS } from "./model-options.ts";
import { SELECTING_OPTIONS } from "./selecting-options.ts";
import { ONLY_OPTION, WORK_OPTIONS } from "./work-options.ts";

export const TUI_OPTIONS: readonly Option[] = [
  {
    flag: "--resume",
    value: "task-id",
    summary: "stand where this task stood; the beginning of its id is enough",
    conflicts: ["--only", ...WORK_OPTIONS.map(({ flag }) => flag)],
  },
  { flag: "--ascii", summary: "draw with plain letters only" },
  { flag: "--screen-reader", summary: "numbered lines of text in place of a drawn screen" },
  {
    flag: "--snapshot",
    value: "size",
    summary: "print one frame, such as 80x24, and leave; with --resume that of the task",
  },
  ...SELECTING_OPTIONS,
  ONLY_OPTION,
  ...WORK_OPTIONS,
  { flag: "--no-refresh", summary: "use the index as it is, even if files have changed" },
  WITH_MEMORY,
  ...JUDGING_OPTIONS,
];
