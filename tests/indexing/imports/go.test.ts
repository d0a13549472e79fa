import { describe, expect, test } from "bun:test";
import { FAMILIES } from "../../../src/indexing/imports/import-resolvers.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { checkEdges } from "./imports-check.ts";

describe("packages", () => {
  checkEdges(
    "are folders below a module, and import the files that define what is used",
    `
//- go.mod
module "example.com/shop" // sells

require example.com/other v1.2.3
//- main.go
package main
import (
  "fmt"
  "example.com/shop/cart"
  "example.com/other/cart"
  "example.com/shop/internal/tax"
  "example.com/shop/missing"
)
func main() { cart.New(); fmt.Println(tax.Rate) }
//- cart/cart.go
package cart
func New() {}
//- cart/cart_test.go
package cart
func New() {}
//- cart/unused.go
package cart
func Other() {}
//- internal/tax/rate.go
package tax
var Rate = 1
//- internal/tax/name.go
package tax
var Name = "x"
//- fmt/print.go
package fmt
func Println() {}
`,
    `
main.go -> cart/cart.go
main.go -> internal/tax/rate.go
`,
  );

  checkEdges(
    "are named by their package clause, not by their folder",
    `
//- go.mod
module example.com/m
//- use.go
package m
import (
  "example.com/m/go-yaml"
  j "example.com/m/json"
  "example.com/m/v2"
)
func f(n dsl.Node) { j.Marshal(); second.Run() }
//- go-yaml/one.go
package dsl
type Node struct{}
//- go-yaml/two.go
package dsl
type Other struct{}
//- json/a.go
package fast
func Marshal() {}
//- json/b.go
package fast
//- json/gen.go
package main
func Marshal() {}
//- v2/a.go
package second
func Run() {}
//- v2/b.go
package second
`,
    `
use.go -> go-yaml/one.go
use.go -> json/a.go
use.go -> v2/a.go
`,
  );

  checkEdges(
    "have the name of most files, whatever programs and tests stand beside them",
    `
//- go.mod
module example.org/m
//- lib/a_gen.go
package main
func main() {}
//- lib/a_test.go
package other_test
//- lib/b_test.go
package other_test
//- lib/codec.go
package wire
func Encode() {}
//- lib/more.go
package wire
//- use.go
package main
import "example.org/m/lib"
func run() { wire.Encode() }
`,
    "use.go -> lib/codec.go",
  );

  checkEdges(
    "without a named use are imported whole if small, or for their init functions",
    `
//- go.mod
module m
//- use.go
package m
import (
  _ "m/driver"
  . "m/dsl"
  "m/tiny"
)
var x = Describe(1)
//- driver/init.go
package driver
func init() {}
//- driver/rest.go
package driver
//- dsl/a.go
package dsl
func Describe() {}
//- dsl/b.go
package dsl
//- tiny/a.go
package tiny
//- tiny/b.go
package tiny
//- tiny/b_test.go
package tiny
`,
    `
use.go -> driver/init.go
use.go -> dsl/a.go
use.go -> tiny/a.go
use.go -> tiny/b.go
`,
  );

  checkEdges(
    "have files per platform, and test names for their own folder only",
    `
//- go.mod
module m
//- pkg/open_linux.go
package pkg
func Open() {}
//- pkg/open_windows.go
package pkg
func Open() {}
//- pkg/export_test.go
package pkg
var Hidden = 1
//- pkg/pkg_test.go
package pkg_test
import "m/pkg"
func Test() { pkg.Open(); pkg.Hidden.Do() }
//- other/other_test.go
package other
import "m/pkg"
func Test() { pkg.Hidden.Do() }
`,
    `
other/other_test.go -> pkg/open_linux.go
other/other_test.go -> pkg/open_windows.go
pkg/pkg_test.go -> pkg/export_test.go
pkg/pkg_test.go -> pkg/open_linux.go
pkg/pkg_test.go -> pkg/open_windows.go
`,
  );
});

describe("modules", () => {
  checkEdges(
    "see each other, the longest path first, and follow replace in go.mod and go.work",
    `
//- go.work
go 1.22
use (
  ./a
  ./b
)
replace example.com/worked v1.0.0 => ./forks/worked
//- a/go.mod
module example.com/a
replace (
  example.com/forked => ../forks/forked // ours
  example.com/away => example.com/elsewhere v1.0.0
)
//- a/use.go
package a
import (
  "example.com/b"
  "example.com/a/nested"
  "example.com/forked/sub"
  "example.com/worked"
  "example.com/away"
)
//- b/go.mod
module example.com/b
//- b/b.go
package b
import "example.com/forked/sub"
//- a/nested/go.mod
module example.com/a/nested
//- a/nested/n.go
package nested
//- forks/forked/sub/sub.go
package sub
//- forks/worked/w.go
package worked
//- away/away.go
package away
`,
    `
a/use.go -> a/nested/n.go
a/use.go -> b/b.go
a/use.go -> forks/forked/sub/sub.go
a/use.go -> forks/worked/w.go
`,
  );

  checkEdges(
    "of the same path resolve by the importing file, and vendored copies are no modules",
    `
//- go.mod
module m
//- root.go
package m
import ("m/pkg"; "example.com/dep")
//- pkg/p.go
package pkg
//- testdata/one/go.mod
module m
//- testdata/one/use.go
package one
import "m/pkg"
//- testdata/one/pkg/p.go
package pkg
//- vendor/example.com/dep/dep.go
package dep
//- vendor/example.com/dep/go.mod
module example.com/dep
`,
    `
root.go -> pkg/p.go
testdata/one/use.go -> testdata/one/pkg/p.go
`,
  );

  checkEdges(
    "without go.mod get the path that imports agree on",
    `
//- main.go
package main
import (
  "github.com/me/tool/cmd"
  "github.com/me/tool/log"
  "github.com/them/lib/log"
)
//- cmd/cmd.go
package cmd
import "../log"
//- log/log.go
package log
`,
    `
cmd/cmd.go -> log/log.go
main.go -> cmd/cmd.go
main.go -> log/log.go
`,
  );
});

test("files of a package share its group; external tests and programs next to it do not", async () => {
  const texts = fixtureTexts(`
//- go.mod
module m
//- a/a.go
package a
//- a/a_test.go
package a
//- a/ext_test.go
package a_test
//- a/gen.go
package main
//- tests/only_test.go
package tests_test
`);
  const files = await fixtureFiles(texts);
  const { groupOf } = FAMILIES.go.open(files, new Set(texts.keys()), (path) => texts.get(path) ?? null);
  expect([...texts.keys()].slice(1).map(groupOf)).toEqual(["a", "a", "a:a_test", "a:main", "tests"]);
});
