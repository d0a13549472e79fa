/** The options that choose what a package is selected from and how large it gets. */
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
    summary: "token budget of the package",
    conflicts: otherForms("--budget"),
  },
  {
    flag: "--context-window",
    value: "tokens",
    key: "context_window",
    summary: "context window of your model, in tokens",
    conflicts: otherForms(...WINDOW),
    needs: ["--reserved-tokens"],
  },
  {
    flag: "--reserved-tokens",
    value: "tokens",
    key: "reserved_tokens",
    summary: "tokens of that window to keep free for everything else",
    conflicts: otherForms(...WINDOW),
    needs: ["--context-window"],
  },
  {
    flag: "--budget-config",
    value: "file",
    summary: "JSON file with context_window, reserved_tokens and optionally safety_margin",
    conflicts: otherForms("--budget-config"),
    completes: "file",
  },
  { flag: "--max-lines", value: "lines", key: "max_lines", summary: "line limit of the package" },
  { flag: "--tokenizer", value: "name", key: "tokenizer", summary: "tokenizer to count with" },
  {
    flag: "--safety-margin",
    value: "share",
    key: "safety_margin",
    summary: "share to add to approximate token counts, from 0 to 0.5",
  },
  { flag: "--scope-size", value: "files", key: "scope_size", summary: "number of files that the scope stage keeps" },
  {
    flag: "--depth",
    value: "steps",
    key: "depth",
    summary: "import steps to follow from the files that the task names, 1 to 3",
  },
  { flag: "--stages", value: "names", key: "stages", summary: `stages to run: ${STAGE_NAMES.join(",")}` },
  {
    flag: "--weights",
    value: "weights",
    key: "weights",
    summary: "weights of the signals: default, classic, or signal=weight,...",
  },
  {
    flag: "--include",
    value: "glob",
    key: "include",
    repeatable: true,
    summary: "select only files that match this glob",
  },
  {
    flag: "--exclude",
    value: "glob",
    key: "exclude",
    repeatable: true,
    summary: "leave out files that match this glob",
  },
];
