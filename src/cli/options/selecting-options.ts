/** The options that choose what a package is selected from and how large it gets. */
import type { Option } from "../syntax/command.ts";
import { settingOption } from "./setting-option.ts";
import { BUCKET } from "./store-options.ts";

const BUDGET_FORMS = ["--budget", "--context-window", "--reserved-tokens", "--budget-config"] as const;
const otherForms = (...own: readonly string[]) => BUDGET_FORMS.filter((flag) => !own.includes(flag));
const WINDOW = ["--context-window", "--reserved-tokens"] as const;

/** The repositories that a question is asked of, of this machine or of a team's store. */
export const REPOS: readonly Option[] = [
  settingOption("workspace.repos", "folders", { flag: "--repos", repeatable: true, completes: "folder" }),
  {
    flag: "--from",
    value: "address",
    summary: "team's store that --repos names repositories of, with * for any letters; paths are of this machine",
    needs: ["--repos"],
  },
  { ...BUCKET, needs: ["--from"] },
];

export const SELECTING_OPTIONS: readonly Option[] = [
  settingOption("budget", "tokens", { conflicts: otherForms("--budget") }),
  settingOption("context_window", "tokens", { conflicts: otherForms(...WINDOW), needs: ["--reserved-tokens"] }),
  settingOption("reserved_tokens", "tokens", { conflicts: otherForms(...WINDOW), needs: ["--context-window"] }),
  {
    flag: "--budget-config",
    value: "file",
    summary: "JSON file with context_window, reserved_tokens and optionally safety_margin",
    conflicts: otherForms("--budget-config"),
    completes: "file",
  },
  settingOption("max_lines", "lines"),
  settingOption("coverage", "share"),
  settingOption("for", "purpose"),
  settingOption("tokenizer", "name"),
  settingOption("safety_margin", "share"),
  settingOption("scope_size", "files"),
  settingOption("depth", "steps"),
  settingOption("stages", "names"),
  settingOption("weights", "weights"),
  settingOption("include", "glob", { repeatable: true }),
  settingOption("exclude", "glob", { repeatable: true }),
];
