/**
 * The commands that a user's shell and manual are set up with.
 */
import type { Command } from "../syntax/command.ts";
import { SHELLS } from "../syntax/names.ts";

export const SHELL_COMMANDS: readonly Command[] = [
  {
    name: "completions",
    summary: "a completion script for a shell",
    arguments: [{ name: "shell", summary: SHELLS.join(", "), required: true, choices: SHELLS }],
    options: [],
    examples: [
      { line: 'eval "$(cra completions bash)"', does: "in ~/.bashrc" },
      { line: "cra completions fish > ~/.config/fish/completions/cra.fish", does: "once, for fish" },
    ],
    run: () => import("./completions.ts"),
  },
  {
    name: "man",
    summary: "the manual page",
    arguments: [],
    options: [],
    examples: [
      { line: "cra man | man -l -", does: "read it" },
      { line: "cra man > ~/.local/share/man/man1/cra.1", does: "so that man cra finds it" },
    ],
    run: () => import("./man.ts"),
  },
];
