/** The options of commands that ask a model. */
import type { Option } from "../syntax/command.ts";
import { settingOption } from "./setting-option.ts";

export const MODEL = settingOption("model", "name");

export const SERVER_OPTIONS: readonly Option[] = [
  settingOption("base_url", "url"),
  settingOption("allow_remote_llm", null),
];

export const MODEL_OPTIONS: readonly Option[] = [MODEL, ...SERVER_OPTIONS];

/** Of commands that search what is remembered. */
export const EMBEDDING_OPTIONS: readonly Option[] = [settingOption("embedding_model", "name"), ...SERVER_OPTIONS];

/** Of commands that make packages. */
export const JUDGING_OPTIONS: readonly Option[] = [
  ...MODEL_OPTIONS,
  settingOption("model_time", "seconds"),
  settingOption("llm_assist", null),
];
