/** Bash: its files, its words, and where its grammar comes from. */
import { SHELL } from "../highlighting.ts";
import type { Language } from "../language.ts";

export const BASH = {
  endings: "sh bash zsh bats",
  rareEndings: "ksh fish",
  fileNames: ".bashrc .bash_profile .profile .zshrc .zshenv .envrc",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*\.bats` },
  highlighting: {
    ...SHELL,
    keywords: `case declare do done elif else esac export fi for function if in local readonly return select set shift
      source then time trap typeset unset until while`,
  },
  imports: "shell",
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm",
    load: async () => (await import("./syntax.ts")).BASH_GRAMMAR,
    sample: { text: "greet() {\n  echo hello\n}\n", finds: "greet" },
  },
} satisfies Language;
