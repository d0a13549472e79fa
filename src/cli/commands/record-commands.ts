/**
 * The commands that ask what was recorded of tasks: rows of the table in `table.ts`.
 */
import type { Argument, Command } from "../syntax/command.ts";

export const TASK_ID: Argument = {
  name: "task-id",
  summary: "the id that retrieve printed, or its first four characters or more",
  required: true,
};

export const RECORD_COMMANDS: readonly Command[] = [
  {
    name: "explain",
    summary: "why a file or symbol is in a package, or is not",
    arguments: [
      TASK_ID,
      {
        name: "what",
        summary: "a file, folder or symbol; all files when left out",
        required: false,
        completes: "file",
      },
    ],
    options: [],
    examples: [
      { line: "cra explain 1f3a", does: "the task, and a line for each file" },
      { line: "cra explain 1f3a9c0b77d2 src/auth.py", does: "the decisions on one file" },
    ],
    run: () => import("./explain.ts"),
  },
  {
    name: "log",
    summary: "rounds, stages, model calls and decisions of a task, from the log",
    arguments: [TASK_ID],
    options: [
      { flag: "--round", value: "number", whole: { least: 1, most: 1_000_000 }, summary: "only this round of it" },
    ],
    examples: [
      { line: "cra log 1f3a", does: "every round, with what each stage and each call of a model took" },
      { line: "cra log 1f3a --round 2 -v", does: "one round, with what the model was told and what it said" },
      { line: "cra log 1f3a --json", does: "the same with every decision, for a program" },
    ],
    run: () => import("./log.ts"),
  },
  {
    name: "sessions",
    summary: "what tasks remember; archive moves it into the log",
    arguments: [
      {
        name: "action",
        summary: "archive: move finished sessions that nobody uses into the log",
        required: false,
        choices: ["archive"],
      },
      {
        name: "task-id",
        summary: "archive only these, whatever their age; ids, or their first four characters or more",
        required: false,
        variadic: true,
      },
    ],
    options: [
      {
        flag: "--older-than",
        value: "days",
        whole: { least: 0, most: 100_000 },
        summary: "archive what was last used at least so many days ago (default 30)",
      },
      { flag: "--dry-run", summary: "only say what would be archived" },
    ],
    examples: [
      { line: "cra sessions", does: "which tasks can be continued or refined, and what they take" },
      { line: "cra sessions archive --older-than 90", does: "move the oldest into the log" },
    ],
    run: () => import("./sessions.ts"),
  },
];
