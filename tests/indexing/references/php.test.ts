import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("PHP", () => {
  check(
    "names of the namespace, of imports, and global functions are resolved",
    `
//- src/Use.php
<?php
namespace App;
use App\\Model\\Cart;
use App\\Model as M;
use Elsewhere\\Thing;
class User {
  public function go(Cart $cart, Thing $thing): Cart {
    new Near();
    $cart->put();
    $thing->put();
    M\\Cart::make();
    \\App\\Model\\Cart::make();
    root_help();
    return $cart;
  }
}
//- src/Near.php
<?php
namespace App;
class Near {}
//- src/Model/Cart.php
<?php
namespace App\\Model;
class Cart {
  public function put() {}
  public static function make() { return new self(); }
}
//- helpers.php
<?php
function root_help() {}
`,
    `
src/Use:User.go -> src/Model/Cart:Cart type 0.9
src/Use:User.go -> src/Near:Near call 0.95
src/Use:User.go -> src/Model/Cart:Cart.put call 0.7
src/Use:User.go -> src/Model/Cart:Cart.make call 0.8
src/Use:User.go -> helpers:root_help call 0.95
`,
  );

  check(
    "a function that does not say what it returns may return anything, as a variable that holds its result",
    `
//- Cart.php
<?php
class Cart { public function closeAll() {} }
//- Shop.php
<?php
class Shop { public function make() { return new Cart; } }
function chained(Shop $s) { $s->make()->closeAll(); }
function held(Shop $s) { $cart = $s->make(); $cart->closeAll(); }
`,
    `
Shop:Shop.make -> Cart:Cart call 0.95
Shop:chained -> Cart:Cart.closeAll call 0.5
Shop:chained -> Shop:Shop type 1
Shop:chained -> Shop:Shop.make call 0.7
Shop:held -> Cart:Cart.closeAll call 0.5
Shop:held -> Shop:Shop type 1
Shop:held -> Shop:Shop.make call 0.7
`,
  );

  check(
    "this, self, parent, traits and typed properties are resolved",
    `
//- src/A.php
<?php
namespace App;
class A extends Base {
  use Sums;
  private Engine $engine;
  public function go() {
    $this->own(); self::fixed(); static::fixed(); parent::go(); $this->shared(); $this->add();
    $this->engine->start();
    own();
  }
  private function own() {}
  public static function fixed() {}
}
//- src/Base.php
<?php
namespace App;
class Base { public function go() {} public function shared() {} }
//- src/Sums.php
<?php
namespace App;
trait Sums { public function add() {} }
//- src/Engine.php
<?php
namespace App;
class Engine { public function start() {} }
`,
    `
src/A:A -> src/Base:Base inherit 0.95
src/A:A -> src/Sums:Sums implement 0.95
src/A:A.engine -> src/Engine:Engine type 0.95
src/A:A.go -> src/A:A.own call 0.95
src/A:A.go -> src/A:A.fixed call 0.95
src/A:A.go -> src/Base:Base.go call 0.9
src/A:A.go -> src/Base:Base.shared call 0.9
src/A:A.go -> src/Sums:Sums.add call 0.9
src/A:A.go -> src/Engine:Engine.start call 0.7
`,
  );

  check(
    "absolute names resolve as written, never to a method of the same name",
    `
//- src/Use.php
<?php
namespace App;
class User extends \\Plain {
  public function go(\\App\\Deep\\Cart $cart, \\Missing $missing) {
    \\render_all();
    \\App\\Deep\\helper();
    new \\App\\Missing();
    \\App\\Deep\\Cart::make_one();
    \\Deep\\Cart::make_one();
    $cart->put_in();
    $missing->put_in();
  }
}
//- src/Plain.php
<?php
class Plain {}
//- src/Deep/Cart.php
<?php
namespace App\\Deep;
class Cart {
  public function put_in() {}
  public static function make_one() {}
  public function render_all() {}
}
function helper() {}
//- src/App/Deep.php
<?php
namespace App\\App\\Deep;
function helper() {}
class Plain {}
`,
    `
src/Use:User -> src/Plain:Plain inherit 0.9
src/Use:User.go -> src/Deep/Cart:Cart type 0.9
src/Use:User.go -> src/Deep/Cart:helper call 0.9
src/Use:User.go -> src/Deep/Cart:Cart.make_one call 0.8
src/Use:User.go -> src/Deep/Cart:Cart.put_in call 0.7
`,
  );

  check(
    "a case of an enum has the enum's methods",
    `
//- src/Suit.php
<?php
namespace App;
enum Suit: string {
  case Hearts = 'h';
  const LAST = 1;
  public function label_text() {}
}
//- src/Other.php
<?php
namespace App;
class Other {
  public function label_text() {}
  public function cut_all() {}
}
function go() {
  Suit::Hearts->label_text();
  Suit::Hearts->cut_all();
}
`,
    `
src/Other:go -> src/Suit:Suit type 0.95
src/Other:go -> src/Suit:Suit.label_text call 0.7
`,
  );
});

check(
  "a comment tells the type of the variable after it",
  `
//- src/Cart.php
<?php
namespace Shop;
class Cart { public function open() {} }
class Line { public function open() {} }
//- src/Use.php
<?php
namespace Shop;
class Till {
  public function made() {
    /** @var Cart $cart */
    $cart = $this->app->make('cart');
    $cart->open();
  }
  public function each($lines) {
    /** @var \\Shop\\Line|null $line */
    foreach ($lines as $line) $line->open();
  }
  public function any() {
    /** @var mixed $cart */
    $cart = new Cart();
    $cart->open();
  }
  public function either($any) {
    /** @var Cart|Line $one */
    $one = $any->get();
    $one->open();
  }
}
`,
  `
src/Use:Till.any -> src/Cart:Cart call 0.95
src/Use:Till.any -> src/Cart:Cart.open call 0.7
src/Use:Till.each -> src/Cart:Line.open call 0.7
src/Use:Till.made -> src/Cart:Cart.open call 0.7
`,
);
