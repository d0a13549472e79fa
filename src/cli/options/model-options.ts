/**
 * The options of every command that asks a model.
 */
import type { Option } from "../syntax/command.ts";

export const MODEL_OPTIONS: readonly Option[] = [
  { flag: "--model", value: "name", key: "model", summary: 'ask this model of an Ollama server; "none" asks none' },
  { flag: "--base-url", value: "url", key: "base_url", summary: "where that server is" },
  {
    flag: "--allow-remote-llm",
    key: "allow_remote_llm",
    summary: "it may be another machine, which then sees the task and code",
  },
];

/** Those of commands that look for what is remembered. */
export const EMBEDDING_OPTIONS: readonly Option[] = [
  {
    flag: "--embedding-model",
    value: "name",
    key: "embedding_model",
    summary: 'compare meanings by this model of an Ollama server, not only words; "none" asks none',
  },
  ...MODEL_OPTIONS.filter(({ flag }) => flag !== "--model"),
];

/** Those of commands that make packages. */
export const JUDGING_OPTIONS: readonly Option[] = [
  ...MODEL_OPTIONS,
  { flag: "--llm-assist", key: "llm_assist", summary: "ask it only what a vague task means" },
];
