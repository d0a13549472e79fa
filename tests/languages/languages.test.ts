import { expect, test } from "bun:test";
import { fileRole, isTestPath } from "../../src/languages/file-role.ts";
import type { FileRole, Language } from "../../src/languages/language.ts";
import {
  fenceName,
  isCode,
  isProse,
  LANGUAGE_NAMES,
  LANGUAGES,
  languageOf,
  tableVersion,
} from "../../src/languages/languages.ts";
import { LUA } from "../../src/languages/lua/language.ts";

test.each([
  ["python", "a.py b.pyi"],
  ["typescript", "a.ts b.mts c.d.cts dockerfile-parser.ts Dockerfile.test.ts"],
  ["tsx", "a.tsx"],
  ["javascript", "a.js b.jsx c.mjs d.cjs"],
  ["go", "a.go go.mod dockerfile.go dockerfile_copy_test.go Dockerfile_test.go"],
  ["rust", "a.rs"],
  ["bash", "a.sh b.bats"],
  ["cpp", "a.cc b.hpp c.C++"],
  ["c", "a.c b.h"],
  [
    "dockerfile",
    "Dockerfile api/Dockerfile.dev Dockerfile.go dockerfile-alpine Dockerfile.1.2 x.dockerfile Containerfile",
  ],
  ["makefile", "Makefile GNUmakefile rules.mk"],
  ["cmake", "CMakeLists.txt"],
  ["ruby", "Gemfile a.rb x.gemspec"],
  ["markdown", "README.md README docs/a.mdx"],
  ["rst", "docs/index.rst"],
  ["yaml", "a.yml .github/workflows/ci.yaml"],
  ["json", "package.json tsconfig.jsonc"],
  ["toml", "pyproject.toml"],
  ["text", "LICENSE notes.txt unknown.qqq noextension .hidden constructor a.constructor __proto__ x.__proto__"],
])("%s: %s", (language, paths) => {
  for (const path of paths.split(" ")) expect([path, languageOf(path)]).toEqual([path, language]);
});

test("every language of the index exists and has a fence name of one word", () => {
  const wanted =
    "python typescript tsx javascript go rust java c cpp csharp ruby php kotlin swift scala dart lua elixir bash solidity zig vue svelte css html yaml toml json markdown rst sql dockerfile makefile text";
  expect(wanted.split(" ").filter((language) => !LANGUAGE_NAMES.includes(language))).toEqual([]);
  expect(LANGUAGE_NAMES.filter((language) => !/^[a-z0-9]*$/.test(fenceName(language)))).toEqual([]);
  expect([fenceName("python"), fenceName("text"), fenceName("tsx")]).toEqual(["python", "", "tsx"]);
});

test("an index of another table is made anew: a language more or fewer, other endings, another grammar, but not other colours", () => {
  const now = tableVersion(LANGUAGES);
  const withLua = (row: Partial<Language>) => tableVersion(new Map([...LANGUAGES, ["lua", { ...LUA, ...row }]]));
  expect(withLua({})).toBe(now);
  expect(withLua({ highlighting: { ...LUA.highlighting, keywords: "end" } })).toBe(now);
  expect(tableVersion(new Map([...LANGUAGES].filter(([name]) => name !== "lua")))).not.toBe(now);
  expect(tableVersion(new Map([...LANGUAGES, ["odin", { endings: "odin" }]]))).not.toBe(now);
  expect(withLua({ endings: "lua luau" })).not.toBe(now);
  const { parsing: _, ...unparsed } = LUA;
  expect(tableVersion(new Map<string, Language>([...LANGUAGES, ["lua", unparsed]]))).not.toBe(now);
  const wasm = "@repomix/tree-sitter-wasms/out/tree-sitter-lua.wasm";
  expect(withLua({ parsing: { ...LUA.parsing, wasm } })).not.toBe(now);
});

test("prose, data, code", () => {
  expect([isProse("markdown"), isProse("python"), isCode("python"), isCode("json"), isCode("text")]).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
});

test("test files are recognised by full names and folders", () => {
  const tests =
    "test_x.py a/x_test.py conftest.py tests/helpers.py x.test.ts x.spec.tsx src/__tests__/a.js spec/a_spec.rb e2e/login.ts a_test.go src/test/java/A.java FooTest.java UserTests.cs fixtures/a.json __mocks__/fs.js a-test.mjs test-utils/render.tsx testing/test_a.py tests.py django/test/client.py benchmarks/tests/a.py bench/unit_test.py src/Cart.t.sol lua/shop/cart_spec.lua lib/cart_test.dart src/jvmTest/kotlin/Shop.kt Shop.Tests/Carts.cs Shop.UnitTests/Carts.cs ShopUITests/Page.swift shop/src/test/java/com/example/Carts.java ci/build.bats t/cart.t src/Get-Cart.Tests.ps1 internal/providers/testing/mock.go testing/helper/a.go";
  for (const path of tests.split(" ")) expect([path, isTestPath(path)]).toEqual([path, true]);
  const others =
    "latest.py contest.py attestation/a.py src/testimony.ts protest/a.js spectrum/a.ts inspect.py specification.md src/greatest.go Contest.java src/_pytest/fixtures.py manifest.ts testing.py packages/vue-test-utils/src/a.ts benchmarks/README.md benchmarks/package.json bench/a.py benches/a.rs a.bench.ts b_bench.rs src/latest/a.kt Shop.Contest/a.cs src/main/java/org/shop/test/Runner.java lib/cart.pm bin/t src/Get-Contests.ps1 xarray/testing/assertions.py src/Illuminate/Testing/Fakes/MailFake.php src/helper/testing/index.ts";
  for (const path of others.split(" ")) expect([path, isTestPath(path)]).toEqual([path, false]);
});

test.each<readonly [FileRole, string]>([
  [
    "source",
    "src/a.py lib/router.js vendor.go index.html a.css src/main/java/com/example/demo/Shop.java app/src/commonMain/kotlin/org/samples/A.kt src/main/scala-3/tools/A.scala src/main/resources/templates/shop.html",
  ],
  ["test", "tests/a.py src/a.test.ts tests/data.json"],
  [
    "example",
    "examples/app.py samples/shop/src/main/java/com/shop/A.java docs/conf_helper.py benchmarks_x/../samples/a.js scripts/build.ts benchmarks/a.py bench/a.py benches/a.rs asv_bench/a.py a.bench.ts src/b_bench.rs benchmarks/package.json",
  ],
  ["declaration", "types/index.d.ts a.d.mts"],
  [
    "config",
    "vite.config.ts setup.py docs/conf.py webpack.prod.js build.rs package.json pyproject.toml .github/workflows/ci.yml",
  ],
  ["docs", "README.md docs/guide.rst notes.txt doc/a.adoc CHANGELOG"],
])("role %s: %s", (role, paths) => {
  for (const path of paths.split(" ")) expect([path, fileRole(path)]).toEqual([path, role]);
});
