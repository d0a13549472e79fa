/** Elixir: its files, its words, and where its grammar comes from. */
import { HASHED, string } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES } from "../name-rules.ts";

export const ELIXIR = {
  endings: "ex exs",
  rareEndings: "heex eex",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*_tests?\.exs` },
  hasDocstrings: true,
  highlighting: {
    ...HASHED,
    blocks: [string('"""')],
    keywords: `after and alias case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop
      defmodule defoverridable defp defprotocol defstruct do else end false fn for if import in nil not or quote raise
      receive require rescue reraise super throw true try unless unquote use when with`,
  },
  imports: "elixir",
  names: { ...NOMINAL_NAMES, parts: "package" },
  parsing: {
    kind: "grammar",
    wasm: "tree-sitter-elixir/tree-sitter-elixir.wasm",
    load: async () => (await import("./syntax.ts")).ELIXIR_GRAMMAR,
    sample: { text: "defmodule Greeter do\n  def greet(name), do: name\nend\n", finds: "Greeter" },
  },
} satisfies Language;
