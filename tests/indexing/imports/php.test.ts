import { describe } from "bun:test";
import { checkEdges } from "./imports-check.ts";

describe("use", () => {
  checkEdges(
    "imports the file that declares the name, in any folder",
    `
//- src/app.php
<?php
namespace App;
use Shop\\Cart\\Item;
use Shop\\Cart\\Item as Thing;
use Shop\\{Store, Cart\\Basket as B};
use function Shop\\total;
use const Shop\\LIMIT;
use Shop\\Cart\\Missing;
use Other\\Item;
use \\Plain, Elsewhere;
//- odd/place/items.php
<?php
namespace Shop\\Cart;
interface Item {}
class Basket {}
//- src/Store.php
<?php namespace Shop;
trait Store {}
//- src/functions.php
<?php
namespace Shop;
const LIMIT = 1;
function total() {}
//- src/Plain.php
<?php
class Plain {}
//- src/Item.php
<?php
class Item {}
//- src/Missing.php
<?php
`,
    `
src/app.php -> odd/place/items.php
src/app.php -> src/Plain.php
src/app.php -> src/Store.php
src/app.php -> src/functions.php
`,
  );

  checkEdges(
    "of a namespace imports the files of the names used through it",
    `
//- app.php
<?php
use Shop\\Cart as C;
use Shop\\Unused;
function f(C\\Item $item): C\\Deep\\Part {
    return C\\Deep\\Made::from(C\\total());
}
//- cart/Item.php
<?php namespace Shop\\Cart; class Item {}
//- cart/Other.php
<?php namespace Shop\\Cart; class Other {}
//- cart/functions.php
<?php namespace Shop\\Cart; function total() {}
//- cart/Part.php
<?php namespace Shop\\Cart\\Deep; class Part {}
//- cart/Made.php
<?php namespace Shop\\Cart\\Deep; class Made {}
//- cart/Unused.php
<?php namespace Shop\\Unused; class Item {}
`,
    `
app.php -> cart/Item.php
app.php -> cart/Made.php
app.php -> cart/Part.php
app.php -> cart/functions.php
`,
  );

  checkEdges(
    "of a name with several definitions takes the one that composer loads, never a test",
    `
//- composer.json
{"autoload": {"psr-4": {"Shop\\\\": ["src/", "more"]}, "psr-0": {"Old": "lib"}, "classmap": ["maps"]}}
//- app.php
<?php
use Shop\\Cart\\Item;
use Shop\\Late;
use Old\\Thing;
use Mapped;
use Both;
//- a/Item.php
<?php namespace Shop\\Cart; class Item {}
//- src/Cart/Item.php
<?php namespace Shop\\Cart; class Item {}
//- a/Late.php
<?php namespace Shop; class Late {}
//- more/Late.php
<?php namespace Shop; class Late {}
//- a/Thing.php
<?php namespace Old; class Thing {}
//- lib/Old/Thing.php
<?php namespace Old; class Thing {}
//- a/Mapped.php
<?php class Mapped {}
//- maps/classes.php
<?php class Mapped {}
//- tests/Both.php
<?php class Both {}
//- z/Both.php
<?php class Both {}
`,
    `
app.php -> lib/Old/Thing.php
app.php -> maps/classes.php
app.php -> more/Late.php
app.php -> src/Cart/Item.php
app.php -> z/Both.php
`,
  );

  checkEdges(
    "works with a broken composer.json",
    `
//- composer.json
{"autoload": {"psr-4": [1, {"__proto__": 2}], "files": 3
//- app.php
<?php
use A\\B;
//- b.php
<?php namespace A; class B {}
//- c.php
<?php namespace A; class B {}
`,
    "app.php -> b.php",
  );
});

describe("require", () => {
  checkEdges(
    "is relative to the expression before the path",
    `
//- composer.json
{}
//- a/b/c.php
<?php
require __DIR__ . '/near.php';
require_once(__DIR__.'/../up.php');
include dirname(__FILE__) . "/near2.php";
include_once dirname(__DIR__) . '/up2.php';
require dirname(__DIR__, 2) . '/top.php';
require dirname(dirname(__FILE__)) . '/up3.php';
require 'near3.php';
require './near4.php';
require 'top2.php';
require __DIR__ . '/../../../outside.php';
require '/top.php';
require 'up.php';
require $folder . '/near5.php';
//- a/b/near.php
//- a/b/near2.php
//- a/b/near3.php
//- a/b/near4.php
//- a/b/near5.php
//- a/up.php
//- a/up2.php
//- a/up3.php
//- top.php
//- top2.php
//- outside.php
`,
    `
a/b/c.php -> a/b/near.php
a/b/c.php -> a/b/near2.php
a/b/c.php -> a/b/near3.php
a/b/c.php -> a/b/near4.php
a/b/c.php -> a/up.php
a/b/c.php -> a/up2.php
a/b/c.php -> a/up3.php
a/b/c.php -> top.php
a/b/c.php -> top2.php
`,
  );
});
