/** The import resolver of each family of languages. */
import type { ImportFamily } from "../../languages/language.ts";
import { C } from "./c.ts";
import { CSHARP } from "./csharp.ts";
import { DART } from "./dart.ts";
import { ECMASCRIPT } from "./ecmascript/ecmascript.ts";
import { ELIXIR } from "./elixir.ts";
import { GO } from "./go.ts";
import { JVM } from "./jvm/jvm.ts";
import { LUA } from "./lua.ts";
import type { Family } from "./model.ts";
import { PHP } from "./php.ts";
import { PYTHON } from "./python/python.ts";
import { RUBY } from "./ruby.ts";
import { RUST } from "./rust/rust.ts";
import { SHELL } from "./shell.ts";
import { SOLIDITY } from "./solidity.ts";
import { SWIFT } from "./swift.ts";
import { ZIG } from "./zig.ts";

export const FAMILIES: Readonly<Record<ImportFamily, Family>> = {
  python: PYTHON,
  ecmascript: ECMASCRIPT,
  go: GO,
  rust: RUST,
  jvm: JVM,
  c: C,
  csharp: CSHARP,
  ruby: RUBY,
  php: PHP,
  swift: SWIFT,
  shell: SHELL,
  elixir: ELIXIR,
  lua: LUA,
  dart: DART,
  solidity: SOLIDITY,
  zig: ZIG,
};
