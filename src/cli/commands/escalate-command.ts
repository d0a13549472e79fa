/**
 * How `cra escalate` is called: a row of the table in `table.ts`.
 */

import { EMBEDDING_OPTIONS } from "../options/model-options.ts";
import { FAILURE_OPTIONS } from "../options/work-options.ts";
import type { Command } from "../syntax/command.ts";

export const ESCALATE: Command = {
  name: "escalate",
  summary: "gather evidence of a failed attempt that handed on too little",
  arguments: [],
  options: [
    ...FAILURE_OPTIONS,
    { flag: "--run-dir", value: "folder", summary: "the folder that the run left its logs in", completes: "folder" },
    { flag: "--phase", value: "id", summary: "the phase that failed; its logs are <id>_attempt_<number>.log" },
    {
      flag: "--attempt",
      value: "number",
      whole: { least: 1, most: 1_000_000 },
      summary: "which attempt this was, from 1 (default 1); its triggers look at the logs of earlier ones",
    },
    { flag: "--check", summary: "only decide; the exit code is 0 either way", conflicts: ["--force"] },
    { flag: "--force", summary: "retrieve although nothing asks for it" },
    { flag: "--adaptive-caps", summary: "retrieve more for a high priority, and less for a low one" },
    {
      flag: "--docs",
      value: "folder",
      key: "escalate.docs",
      repeatable: true,
      summary: "folders of documentation and source, from the repository's root",
      completes: "folder",
    },
    ...EMBEDDING_OPTIONS,
  ],
  examples: [
    {
      line: "cra escalate --handoff failure.json --run-dir runs/7 --phase phase_001 --attempt 2",
      does: "decide, and show what was found when it fires",
    },
    {
      line: "cra escalate --handoff - --run-dir runs/7 --phase phase_001 --json < failure.json",
      does: "the same for a program",
    },
    {
      line: "cra escalate --handoff failure.json --run-dir runs/7 --phase phase_001 --check",
      does: "whether, and why, and nothing more",
    },
  ],
  run: () => import("./escalate.ts"),
};
