/** The options of commands that ask a model. */
import type { Option } from "../syntax/command.ts";

export const MODEL: Option = {
  flag: "--model",
  value: "name",
  key: "model",
  summary: 'ask this model on an Ollama server; "none" asks no model',
};

const SERVER_OPTIONS: readonly Option[] = [
  { flag: "--base-url", value: "url", key: "base_url", summary: "address of the Ollama server" },
  {
    flag: "--allow-remote-llm",
    key: "allow_remote_llm",
    summary: "allow a server on another machine, which then sees the task and code",
  },
];

export const MODEL_OPTIONS: readonly Option[] = [MODEL, ...SERVER_OPTIONS];

/** Of commands that search what is remembered. */
export const EMBEDDING_OPTIONS: readonly Option[] = [
  {
    flag: "--embedding-model",
    value: "name",
    key: "embedding_model",
    summary: 'compare by meaning with this model on an Ollama server; "none" compares words only',
  },
  ...SERVER_OPTIONS,
];

/** Of commands that make packages. */
export const JUDGING_OPTIONS: readonly Option[] = [
  ...MODEL_OPTIONS,
  { flag: "--llm-assist", key: "llm_assist", summary: "ask the model only what a vague task means" },
];
