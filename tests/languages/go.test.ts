/** What is found in Go: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { expectFindings, findingsIn } from "./findings.ts";

const finds = findingsIn("go");

finds(
  "definitions of every kind",
  symbolLines,
  `
package shop

// A limit.
const Limit = 1

const (
	first, Second = iota, 2
	_
	// Third of them.
	third
)

var low, High int = 1, 2
var (
	_ Store = (*memory)(nil)
	table = map[string]func(){
		"x": func() { var local = 1; const other = 2; _, _ = local, other },
	}
)

/*
Cart holds things.
*/
type Cart[T any] struct {
	Base
	*pkg.Other
	// Items of it.
	Items, rest []T \`json:"items"\`
	Inner struct {
		Depth int
	}
}

// Store keeps.

type Store interface {
	io.Reader
	// Get gets.
	Get(key string) (value string, err error)
	~int | ~string
}

type (
	ID = string
	// Handler handles.
	Handler func(*Cart[int]) error
	hidden struct{}
)

// Add adds.
//
//go:noinline
func (c *Cart[T]) Add(
	item T, // what
	more ...T,
) (count int) {
	type local struct{ x int }
	var y = 1
	return func() int { return y }()
}

func (hidden) run() {}

// Do not read.
//nolint:all
func Map[K comparable, V any](in map[K]V, f func(V) V) map[K]V { return nil }

func assembly(x *byte)

func main() {}
`,
  `
+variable Limit 3/4-4 const Limit = 1 «plain: A limit.»
-variable first 7-7 first, Second = iota, 2
+variable Second 7-7 first, Second = iota, 2
-variable third 9/10-10 third «plain: Third of them.»
-variable low 13-13 var low, High int = 1, 2
+variable High 13-13 var low, High int = 1, 2
-variable table 16-18 table = map[string]func(){ "x": func() { var local = 1; const other = 2; _, _ = local, other }, }
+class Cart 21/24-32 type Cart[T any] struct «plain: Cart holds things.»
+property Cart.Items 27/28-28 Items, rest []T \`json:"items"\` «plain: Items of it.»
-property Cart.rest 27/28-28 Items, rest []T \`json:"items"\` «plain: Items of it.»
+property Cart.Inner 29-31 Inner struct { Depth int }
+interface Store 36-41 type Store interface
+method Store.Get 38/39-39 Get(key string) (value string, err error) «plain: Get gets.»
+type_alias ID 44-44 ID = string
+type_alias Handler 45/46-46 Handler func(*Cart[int]) error «plain: Handler handles.»
-class hidden 47-47 hidden struct
+method Cart.Add 50/53-60 func (c *Cart[T]) Add(item T, more ...T) (count int) «plain: Add adds.»
-class Cart.Add.local 57-57 type local struct
-property Cart.Add.local.x 57-57 x int
-method hidden.run 62-62 func (hidden) run()
+function Map 64/66-66 func Map[K comparable, V any](in map[K]V, f func(V) V) map[K]V «plain: Do not read.»
-function assembly 68-68 func assembly(x *byte)
-function main 70-70 func main()
`,
);

test("imports in every form, and the package", async () => {
  const source = `
package shop_test

import "C"
import (
	"fmt"
	raw \`net/http\`
	. "example.com/dsl"
	_ "example.com/driver"
	"example.com/lib/v2"
	"gopkg.in/yaml.v3"
	"example.com/go-redis"
	"example.com/kafka-go"
)
`;
  await expectFindings(
    importLines,
    "go",
    source,
    `
3 import C *>C
5 import fmt *>fmt
6 import net/http *>raw
7 import example.com/dsl *
8 import example.com/driver
9 import example.com/lib/v2 *>lib
10 import gopkg.in/yaml.v3 *>yaml
11 import example.com/go-redis *>redis
12 import example.com/kafka-go *>kafka
`,
  );
  expect((await factsOf("go", source)).namespace).toBe("shop_test");
});

finds(
  "uses of names",
  referenceLines,
  `
package shop

import "net/http"

type A struct {
	B
	*pkg.C
	D[Key]
	pkg.E[int]
	field map[Key][]*pkg.Value
}

type I interface {
	B
	io.Reader
	M(x Param) (Result, error)
	Left | Right
}

var _ I = (*A)(nil)
var (
	_ pkg.J = &A{}
	set = []Item{{Name: "x"}}
)

func (a *A) Run(ctx context.Context, f func(In) Out) error {
	a.helper(f)
	a.b.c().Deep()
	go work()
	fs[0]()
	for i, each := range list { use(i, each) }
	var own, elsewhere = 1, 2
	return &pkg.T{Handler: serve, Other: own, Ctx: ctx, Far: far, D: D[Key]{}}
}

func serve(x any) {
	local := 1
	handle(serve, local, http.StatusOK, x.Field)
	other.Register(http.HandlerFunc(serve))
	generic[Arg](1)
	pkg.Generic[int](1)
	(*A)(x).Go()
	(*pkg.P)(x).Go()
	switch y := x.(type) {
	case *Case, pkg.Case:
	}
	_ = x.(Asserted)
	_ = make([]Element, 1)
}
`,
  `
inherit B in A
inherit pkg . C in A
inherit D in A
type Key in A
inherit pkg . E in A
type Key in A.field
type pkg . Value in A.field
inherit B in I
inherit io . Reader in I
type Param in I.M
type Result in I.M
type Left in I
type Right in I
implement I in A
type A
implement pkg . J in A
call A
type Item in set
type A in A.Run
type context . Context in A.Run
type In in A.Run
type Out in A.Run
call a . helper in A.Run
call a.b . c in A.Run
call a.b.c() . Deep in A.Run
call work in A.Run
call use in A.Run
call pkg . T in A.Run
call serve in A.Run
call far in A.Run
call D in A.Run
type Key in A.Run
call handle in serve
call serve in serve
call http . StatusOK in serve
call other . Register in serve
call http . HandlerFunc in serve
call generic in serve
type Arg in serve
call pkg . Generic in serve
type A in serve
call (*A)() . Go in serve
type pkg . P in serve
call (*pkg.P)() . Go in serve
type Case in serve
type pkg . Case in serve
type Asserted in serve
call make in serve
type Element in serve
`,
);

test("comments, and the documentation of the package", async () => {
  const source = `
// Copyright 2020 Somebody. All rights reserved.

//go:build linux
// +build linux

// Package shop sells.
package shop

import "fmt" // TODO: drop it

// Loose, because reasons.

func f() {
	// inside
	fmt.Println() // trailing
}
`;
  await expectFindings(
    commentLines,
    "go",
    source,
    `
1-1 general: Copyright 2020 Somebody. All rights reserved.
3-3 general: go:build linux
4-4 general: +build linux
9-9 todo: TODO: drop it
11-11 rationale!: Loose, because reasons.
14-14 general in f: inside
15-15 general in f: trailing
`,
  );
  expect((await factsOf("go", source.slice(1))).doc).toEqual({ content: "Package shop sells.", format: "plain" });
});
