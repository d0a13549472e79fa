/** The families of languages whose imports are resolved, one row each. */
import { C } from "./families/c.ts";
import { CSHARP } from "./families/csharp.ts";
import { ECMASCRIPT } from "./families/ecmascript.ts";
import { GO } from "./families/go.ts";
import { JVM } from "./families/jvm.ts";
import { PHP } from "./families/php.ts";
import { PYTHON } from "./families/python.ts";
import { RUBY } from "./families/ruby.ts";
import { RUST } from "./families/rust.ts";
import { SWIFT } from "./families/swift.ts";
import type { Family, LanguageFamily } from "./imports-model.ts";

export const FAMILIES: Readonly<Record<LanguageFamily, Family>> = {
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
};
