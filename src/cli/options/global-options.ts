/** The options of every command, accepted before or after its name. */
import type { Option } from "../syntax/command.ts";
import { settingOption } from "./setting-option.ts";

export const GLOBAL_OPTIONS: readonly Option[] = [
  {
    flag: "--repo",
    value: "folder",
    summary: "the repository; by default the one around the current folder",
    completes: "folder",
  },
  settingOption("data_dir", "folder", { completes: "folder" }),
  settingOption("allow_secrets", null),
  { flag: "--json", summary: "print one JSON object" },
  { flag: "--quiet", short: "-q", summary: "print no progress and no notices", conflicts: ["--verbose"] },
  { flag: "--verbose", short: "-v", summary: "print details: skipped files, scores, token costs" },
  { flag: "--no-color", summary: "print without colour, as with NO_COLOR" },
  { flag: "--no-input", summary: "never ask questions" },
];
