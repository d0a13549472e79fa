/**
 * The options that say what is selected and how much of it: those of every command that makes packages.
 */
import { STAGE_NAMES } from "../../config/keys.ts";
import type { Option } from "../syntax/command.ts";

const BUDGET_FORMS = ["--budget", "--context-window", "--reserved-tokens", "--budget-config"] as const;
const otherForms = (...own: readonly string[]) => BUDGET_FORMS.filter((flag) => !own.includes(flag));
const WINDOW = ["--context-window", "--reserved-tokens"] as const;

export const SELECTING_OPTIONS: readonly Option[] = [
  {
    flag: "--budget",
    value: "tokens",
    key: "budget",
    summary: "tokens the package may take",
    conflicts: otherForms("--budget"),
  },
  {
    flag: "--context-window",
    value: "tokens",
    key: "context_window",
    summary: "tokens of the model's window",
    conflicts: otherForms(...WINDOW),
    needs: ["--reserved-tokens"],
  },
  {
    flag: "--reserved-tokens",
    value: "tokens",
    key: "reserved_tokens",
    summary: "tokens of that window kept for everything else",
    conflicts: otherForms(...WINDOW),
    needs: ["--context-window"],
  },
  {
    flag: "--budget-config",
    value: "file",
    summary: "JSON with context_window, reserved_tokens and maybe safety_margin",
    conflicts: otherForms("--budget-config"),
    completes: "file",
  },
  { flag: "--max-lines", value: "lines", key: "max_lines", summary: "lines the package may take" },
  { flag: "--tokenizer", value: "name", key: "tokenizer", summary: "how tokens are counted" },
  {
    flag: "--safety-margin",
    value: "share",
    key: "safety_margin",
    summary: "share added to approximate token counts, 0 to 0.5",
  },
  { flag: "--scope-size", value: "files", key: "scope_size", summary: "files that the scope stage keeps" },
  { flag: "--depth", value: "steps", key: "depth", summary: "steps along imports, 1 to 3" },
  { flag: "--stages", value: "names", key: "stages", summary: `stages to run: ${STAGE_NAMES.join(",")}` },
  { flag: "--weights", value: "weights", key: "weights", summary: "default, classic, or signal=weight,..." },
  { flag: "--include", value: "glob", key: "include", repeatable: true, summary: "only files that match" },
  { flag: "--exclude", value: "glob", key: "exclude", repeatable: true, summary: "no files that match" },
];
