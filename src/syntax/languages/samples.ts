/**
 * A few lines of every language that is read, with a name that reading them must find.
 *
 * By them a program that was handed to somebody proves that all its grammars work there. Not here: what else is found in
 * a language (its tests).
 */

export type Sample = { readonly text: string; readonly finds: string };

/** By the name of the language as the walker gives it. */
export const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ["bash", { text: "greet() {\n  echo hello\n}\n", finds: "greet" }],
  ["c", { text: "int greet(int times) {\n  return times;\n}\n", finds: "greet" }],
  ["cpp", { text: "class Greeter {\n public:\n  int greet() { return 1; }\n};\n", finds: "Greeter" }],
  ["csharp", { text: "class Greeter {\n  int Greet() { return 1; }\n}\n", finds: "Greeter" }],
  ["css", { text: ".greeting {\n  color: red;\n}\n", finds: ".greeting" }],
  ["dart", { text: "class Greeter {\n  int greet() => 1;\n}\n", finds: "Greeter" }],
  ["elixir", { text: "defmodule Greeter do\n  def greet(name), do: name\nend\n", finds: "Greeter" }],
  ["go", { text: "package greeting\n\nfunc Greet() int {\n\treturn 1\n}\n", finds: "Greet" }],
  ["java", { text: "class Greeter {\n  int greet() { return 1; }\n}\n", finds: "Greeter" }],
  ["javascript", { text: "export function greet() {\n  return 1;\n}\n", finds: "greet" }],
  ["json", { text: '{\n  "greeting": { "text": "hello" }\n}\n', finds: "greeting" }],
  ["kotlin", { text: "class Greeter {\n  fun greet(): Int = 1\n}\n", finds: "Greeter" }],
  ["lua", { text: "function greet()\n  return 1\nend\n", finds: "greet" }],
  ["markdown", { text: "# Greeting\n\nHello.\n", finds: "Greeting" }],
  ["php", { text: "<?php\nclass Greeter {\n  function greet() { return 1; }\n}\n", finds: "Greeter" }],
  ["python", { text: "class Greeter:\n    def greet(self):\n        return 1\n", finds: "Greeter" }],
  ["ruby", { text: "class Greeter\n  def greet\n    1\n  end\nend\n", finds: "Greeter" }],
  ["rust", { text: "pub fn greet() -> u8 {\n    1\n}\n", finds: "greet" }],
  ["scala", { text: "class Greeter {\n  def greet: Int = 1\n}\n", finds: "Greeter" }],
  ["solidity", { text: "contract Greeter {\n  function greet() public {}\n}\n", finds: "Greeter" }],
  ["svelte", { text: "<script>\n  function greet() {\n    return 1;\n  }\n</script>\n", finds: "greet" }],
  ["swift", { text: "class Greeter {\n  func greet() -> Int { return 1 }\n}\n", finds: "Greeter" }],
  ["toml", { text: '[greeting]\ntext = "hello"\n', finds: "greeting" }],
  ["tsx", { text: "export const Greeting = () => {\n  return <p>hello</p>;\n};\n", finds: "Greeting" }],
  ["typescript", { text: "export function greet(): number {\n  return 1;\n}\n", finds: "greet" }],
  ["vue", { text: '<script lang="ts">\nfunction greet(): number {\n  return 1;\n}\n</script>\n', finds: "greet" }],
  ["yaml", { text: "greeting:\n  text: hello\n", finds: "greeting" }],
  ["zig", { text: "pub fn greet() u8 {\n    return 1;\n}\n", finds: "greet" }],
]);
