import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

const MODULE = `
//- go.mod
module example.org/shop
`;

describe("Go", () => {
  check(
    "files of a package see each other, and tests see them but not the reverse",
    `${MODULE}
//- cart/a.go
package cart
func Open() { prepare(); onlyInTests() }
//- cart/b.go
package cart
func prepare() {}
//- cart/a_test.go
package cart
func onlyInTests() {}
func TestOpen() { Open(); onlyInTests() }
`,
    `
cart/a:Open -> cart/b:prepare call 0.95
cart/a_test:TestOpen -> cart/a:Open call 0.95
cart/a_test:TestOpen -> cart/a_test:onlyInTests call 1
`,
  );

  check(
    "methods belong to their receiver's type, in any file",
    `${MODULE}
//- cart/cart.go
package cart
type Base struct{}
type Cart struct { Base; owner *Owner }
func (c *Cart) Add(o *Owner, n, m Item) {
	c.total()
	c.reset()
	c.owner.Pay()
	o.Pay()
	n.Weigh()
	m.Weigh()
	c.nothing()
}
//- cart/more.go
package cart
type Owner struct{}
type Item int
func (o *Owner) Pay() {}
func (i Item) Weigh() {}
func (c *Cart) total() {}
func (b Base) reset() {}
func (x *Elsewhere) nothing() {}
`,
    `
cart/cart:Cart -> cart/cart:Base inherit 1
cart/cart:Cart.owner -> cart/more:Owner type 0.95
cart/cart:Cart.Add -> cart/cart:Cart type 1
cart/cart:Cart.Add -> cart/more:Owner type 0.95
cart/cart:Cart.Add -> cart/more:Item type 0.95
cart/cart:Cart.Add -> cart/more:Cart.total call 0.95
cart/cart:Cart.Add -> cart/more:Base.reset call 0.9
cart/cart:Cart.Add -> cart/more:Owner.Pay call 0.7
cart/cart:Cart.Add -> cart/more:Item.Weigh call 0.7
cart/more:Owner.Pay -> cart/more:Owner type 1
cart/more:Item.Weigh -> cart/more:Item type 1
cart/more:Cart.total -> cart/cart:Cart type 0.95
cart/more:Base.reset -> cart/cart:Base type 0.95
`,
  );

  check(
    "imported packages give their exported names, external ones nothing",
    `${MODULE}
//- main.go
package main
import (
	"fmt"
	"example.org/shop/cart"
	. "example.org/shop/pay"
)
func main() {
	cart.New().Checkout()
	cart.hidden()
	fmt.Checkout()
	Charge()
	cart.Shared.Checkout()
}
//- cart/cart.go
package cart
type Cart struct{}
var Shared = &Cart{}
func New() *Cart { return nil }
func hidden() {}
func (c *Cart) Checkout() {}
//- pay/pay.go
package pay
func Charge() {}
`,
    `
main:main -> cart/cart:New call 0.9
main:main -> cart/cart:Shared call 0.9
main:main -> cart/cart:Cart.Checkout call 0.7
main:main -> pay/pay:Charge call 0.8
cart/cart:Shared -> cart/cart:Cart call 1
cart/cart:New -> cart/cart:Cart type 1
cart/cart:Cart.Checkout -> cart/cart:Cart type 1
`,
  );

  check(
    "a name defined per platform gives a few weak guesses, and none if there are too many",
    `${MODULE}
//- a/use.go
package a
func Go() { open(); many() }
//- a/x_linux.go
package a
func open() {}
func many() {}
//- a/x_windows.go
package a
func open() {}
func many() {}
//- a/x_darwin.go
package a
func many() {}
//- a/x_plan9.go
package a
func many() {}
`,
    `
a/use:Go -> a/x_linux:open call 0.15
a/use:Go -> a/x_windows:open call 0.15
`,
  );

  check(
    "values of external types, and common library names, give nothing",
    `${MODULE}
//- a.go
package a
import "net/http"
type T struct{}
func (t *T) Settle() {}
func (t *T) Header() {}
func Go(w http.ResponseWriter, r Unknown) {
	w.Settle()
	r.Settle()
	for _, x := range []T{} {
		x.Header()
		x.Settle()
	}
}
`,
    `
a:T.Settle -> a:T type 1
a:T.Header -> a:T type 1
a:Go -> a:T type 1
a:Go -> a:T.Settle call 0.5
`,
  );

  check(
    "a variable of a function has the members of what it holds",
    `${MODULE}
//- cart/cart.go
package cart
type Cart struct{}
type Menu struct{}
func New() (*Cart, error) { return nil, nil }
func (c *Cart) Close() {}
func (c *Cart) Menu() *Menu { return nil }
func (m *Menu) Get(f func(m *Menu)) {}
func (m *Menu) Put() {}
//- main.go
package main
import "example.org/shop/cart"
func result() { c, err := cart.New(); c.Close(); err.Close() }
func made() { c := &cart.Cart{}; c.Close() }
func declared() { var m *cart.Menu; m.Put() }
func further() { c := cart.Cart{}; m := c.Menu(); m.Put() }
func inner() { c := cart.Cart{}; run(func(c cart.Menu) { c.Put() }); c.Close() }
func twice() { c := cart.Cart{}; if true { c := cart.Menu{}; c.Put() } }
func list() { c := []cart.Cart{}; c.Close() }
func parameter(c string) { run(func() { c.Close() }) }
func run(f any) {}
`,
    `
cart/cart:New -> cart/cart:Cart type 1
cart/cart:Cart.Close -> cart/cart:Cart type 1
cart/cart:Cart.Menu -> cart/cart:Cart type 1
cart/cart:Cart.Menu -> cart/cart:Menu type 1
cart/cart:Menu.Get -> cart/cart:Menu type 1
cart/cart:Menu.Put -> cart/cart:Menu type 1
main:result -> cart/cart:New call 0.9
main:result -> cart/cart:Cart.Close call 0.7
main:made -> cart/cart:Cart call 0.9
main:made -> cart/cart:Cart.Close call 0.7
main:declared -> cart/cart:Menu type 0.9
main:declared -> cart/cart:Menu.Put call 0.7
main:further -> cart/cart:Cart call 0.9
main:further -> cart/cart:Cart.Menu call 0.7
main:further -> cart/cart:Menu.Put call 0.65
main:inner -> cart/cart:Cart call 0.9
main:inner -> cart/cart:Cart.Close call 0.7
main:inner -> cart/cart:Menu type 0.9
main:inner -> cart/cart:Menu.Put call 0.7
main:inner -> main:run call 1
main:twice -> cart/cart:Cart call 0.9
main:twice -> cart/cart:Menu call 0.9
main:list -> cart/cart:Cart type 0.9
main:parameter -> main:run call 1
`,
  );

  check(
    "named types other than structs have methods, and call chains are followed",
    `
//- a/a.go
package a
type Handler func(int)
type Handlers []Handler
func (h Handlers) Last() *Engine { return nil }
func (e *Engine) Group(name string) *Engine { return e }
type Engine struct { all Handlers }
func New() *Engine { return nil }
func use(h Handlers, e *Engine) {
	h.Last()
	e.all.Last()
	New().Group("a)").Group("b").all.Last()
	h.Last().Group("x")
}
`,
    `
a/a:Engine.Group -> a/a:Engine type 1
a/a:Engine.all -> a/a:Handlers type 1
a/a:Handlers -> a/a:Handler type 1
a/a:Handlers.Last -> a/a:Engine type 1
a/a:Handlers.Last -> a/a:Handlers type 1
a/a:New -> a/a:Engine type 1
a/a:use -> a/a:Engine type 1
a/a:use -> a/a:Engine.Group call 0.7
a/a:use -> a/a:Handlers type 1
a/a:use -> a/a:Handlers.Last call 0.7
a/a:use -> a/a:New call 1
`,
  );

  check(
    "functions and values listed in a literal are used",
    `
//- go.mod
module example.com/shop
//- commands.go
package shop

var build = Command{"build", runBuild}
//- main.go
package shop

type Command struct {
	Name string
	Run  func()
}

func runBuild() {}

func commands(extra Command) []Command {
	test := Command{Run: runBuild}
	return []Command{build, test, extra}
}
`,
    `
commands:build -> main:Command call 0.95
commands:build -> main:runBuild call 0.95
main:commands -> commands:build call 0.95
main:commands -> main:Command call 1
main:commands -> main:Command type 1
main:commands -> main:runBuild call 1
`,
  );
});

check(
  "a variable of a function hides a function of the package, after it is declared",
  `
//- go.mod
module example.com/shop
//- shop.go
package shop

func pick() int { return 1 }

func closure() {
	pick := func() int { return 2 }
	pick()
}

func declared() {
	var pick func() int
	pick()
}

func argument() { each(func(pick func() int) { pick() }) }

func looped() {
	for _, pick := range all() {
		pick()
	}
}

func asked() {
	if pick, ok := table["a"]; ok {
		pick()
	}
}

func before() {
	pick := pick()
	use(pick)
}
`,
  `
shop:before -> shop:pick call 1
`,
);
