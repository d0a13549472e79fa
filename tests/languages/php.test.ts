/** What is found in PHP: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("php");

finds(
  "definitions of every kind",
  symbolLines,
  `
<?php
declare(strict_types=1);
namespace Shop\\Cart;

const LOW = 1, HIGH = 2;
define('SHOP_DEBUG', true);
/**
 * A cart.
 *
 * @template T
 */
#[Entity]
// between
#[Table("carts")]
final class Cart extends \\Base\\Thing implements Countable, Other\\Named
{
    use Loud, Other\\Quiet { Loud::shout insteadof Quiet; }

    public const string KIND = 'cart', OLD = 'old';
    private ?Item $first = null, $last;
    public static int|Item $count;
    public string $title { get => $this->title; }
    /** Makes one. */
    #[Pure]
    public function __construct(private readonly Store $store, protected Log $log = new Log(), int $plain = 1)
    {
        $helper = function (Item $item) { return $item; };
    }
    abstract protected function total(?Item $item, array $rest): static|null;
    private static function &make(): iterable {
        return new class (1) extends Base { function inside() {} };
    }
    function hidden() { function inner() {} class Local {} }
}
interface Named extends A, B { const X = 1; public function name(): string; }
trait Loud { public function shout() {} }
enum Suit: string implements Named {
    case Hearts = 'h';
    const Wild = self::Hearts;
    public function name(): string { return 'x'; }
}
abstract readonly class Point { public int $x; }
if (!function_exists('total')) {
    // Only once.
    function total(Item ...$items): void {}
}
$closure = fn() => 1;
`,
  `
+variable LOW 5-5 const LOW = 1, HIGH = 2
+variable HIGH 5-5 const LOW = 1, HIGH = 2
+variable SHOP_DEBUG 6-6 define('SHOP_DEBUG', true)
+class Cart 7/12-34@15 final class Cart extends \\Base\\Thing implements Countable, Other\\Named «jsdoc: A cart.⏎⏎@template T»
+property Cart.KIND 19-19 public const string KIND = 'cart', OLD = 'old'
+property Cart.OLD 19-19 public const string KIND = 'cart', OLD = 'old'
-property Cart.first 20-20 private ?Item $first = null, $last
-property Cart.last 20-20 private ?Item $first = null, $last
+property Cart.count 21-21 public static int|Item $count
+property Cart.title 22-22 public string $title
+method Cart.__construct 23/24-28@25 public function __construct(private readonly Store $store, protected Log $log = new Log(), int $plain = 1) «jsdoc: Makes one.»
-property Cart.store 25-25 private readonly Store $store
+property Cart.log 25-25 protected Log $log = new Log()
+method Cart.total 29-29 abstract protected function total(?Item $item, array $rest): static|null
-method Cart.make 30-32 private static function &make(): iterable
-method Cart.make.inside 31-31 function inside()
+method Cart.hidden 33-33 function hidden()
-function Cart.hidden.inner 33-33 function inner()
-class Cart.hidden.Local 33-33 class Local
+interface Named 35-35 interface Named extends A, B
+variable Named.X 35-35 const X = 1
+method Named.name 35-35 public function name(): string
+class Loud 36-36 trait Loud
+method Loud.shout 36-36 public function shout()
+enum Suit 37-41 enum Suit: string implements Named
+property Suit.Hearts 38-38 case Hearts = 'h'
+variable Suit.Wild 39-39 const Wild = self::Hearts
+method Suit.name 40-40 public function name(): string
+class Point 42-42 abstract readonly class Point
+property Point.x 42-42 public int $x
+function total 44/45-45 function total(Item ...$items): void
`,
);

test("the first namespace is the file's", async () => {
  expect((await factsOf("php", "<?php\nnamespace A\\B;\nclass C {}\n")).namespace).toBe("A.B");
  expect((await factsOf("php", "<?php namespace A { class B {} } namespace { class C {} }")).namespace).toBe("A");
  expect((await factsOf("php", "<?php class C {}")).namespace).toBeNull();
});

finds(
  "members of a nameless class belong to the method that makes it",
  symbolLines,
  `
<?php
class Cart {
    public function make(private int $size) {
        return new class extends Base {
            private $inner = 1;
            public function __construct(public int $own) {}
        };
    }
}
`,
  `
+class Cart 2-9 class Cart
+method Cart.make 3-8 public function make(private int $size)
-property Cart.size 3-3 private int $size
-property Cart.make.inner 5-5 private $inner = 1
-method Cart.make.__construct 6-6 public function __construct(public int $own)
-property Cart.make.own 6-6 public int $own
`,
);

finds(
  "imports in every form",
  importLines,
  `
<?php
use A\\B\\C;
use A\\B\\C as D;
use \\A\\E, F, \\G;
use Top as Other;
use A\\{B, C as D, E\\F, function f};
use function A\\f;
use const A\\X as Y;
use function A\\{g, h as i};
require __DIR__ . '/x.php';
require_once 'y.php';
include_once(dirname(__FILE__, 2) . "/z.php");
include $folder . '/w.php';
require "$folder/v.php";
class K { use Loud; }
function f() { return include 'late.php'; }
`,
  `
2 import A\\B C
3 import A\\B C>D
4 import A E
4 import F *>F
4 import G *>G
5 import Top *>Other
6 import A B C>D E\\F>F f
7 import A f
8 import A X>Y
9 import A g h>i
10 require __DIR__ . '/x.php'
11 require y.php
12 require dirname(__FILE__, 2) . "/z.php"
16 require late.php
`,
);

finds(
  "uses of names",
  referenceLines,
  `
<?php
#[Attr, \\Root\\Attr2(1)]
class A extends \\Base\\Thing implements I, Other\\J
{
    use Loud, Other\\Quiet;
    private ?Kind $kind;
    public function f(int|Foo $a, Bar&\\Deep\\Baz $b, self $c): static|Result
    {
        new Made(); new self; new static(); new \\Root\\Made2; new Other\\Made3;
        $this->g()->h($a);
        $this->kind?->run();
        parent::f(); self::f(); static::f();
        Cls::make(); Other\\Cls::make(); \\Cls2::make();
        strlen('x'); \\strlen('x'); Other\\total(); namespace\\near();
        $a instanceof Type1; $a instanceof \\Type2;
        Cls3::class; Other\\Cls4::LIMIT; Cls5::$static; self::LIMIT;
        try {} catch (Err1 | \\Err2 $e) {}
        $x = fn(Arg $y): Ret => $y;
        $make(); $a->{$name}();
    }
}
interface K extends L {}
`,
  `
decorate Attr in A
decorate .Root . Attr2 in A
inherit .Base . Thing in A
implement I in A
implement Other . J in A
implement Loud in A
implement Other . Quiet in A
type Kind in A.kind
type Foo in A.f
type Bar in A.f
type .Deep . Baz in A.f
type Result in A.f
call Made in A.f
call .Root . Made2 in A.f
call Other . Made3 in A.f
call $this . g in A.f
call $this.g() . h in A.f
call $this.kind . run in A.f
call parent . f in A.f
call self . f in A.f
call static . f in A.f
type Cls in A.f
call Cls . make in A.f
type Other . Cls in A.f
call Other.Cls . make in A.f
type . . Cls2 in A.f
call .Cls2 . make in A.f
call strlen in A.f
call . . strlen in A.f
call Other . total in A.f
call near in A.f
type Type1 in A.f
type . . Type2 in A.f
type Cls3 in A.f
type Other . Cls4 in A.f
type Cls5 in A.f
type Err1 in A.f
type . . Err2 in A.f
type Arg in A.f
type Ret in A.f
inherit L in K
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
<?php
/* Copyright 2020 Somebody. */

// One line
# and another.
const X = 1; // trailing
/** Documentation is no comment. */
function f() {
    // phpcs:ignore
    // TODO: do it
    return 1; // see #1234
}
`,
  `
2-2 general: Copyright 2020 Somebody.
4-5 general in X: One line⏎and another.
6-6 general in X: trailing
9-9 general in f: phpcs:ignore
10-10 todo in f: TODO: do it
11-11 bug_ref in f: see #1234
`,
);

test("the file's documentation comes first, after the opening tag", async () => {
  const { doc } = await factsOf(
    "php",
    "<?php\n/**\n * About the file.\n */\n\nnamespace A;\n\n/** A. */\nclass A {}\n",
  );
  expect(doc).toEqual({ content: "About the file.", format: "jsdoc" });
});

finds(
  "PHP among markup",
  referenceLines,
  `
<ul class="a">
<?php foreach ($items as $item): ?>
  <li><?= $this->escape($item->name()) ?> it's</li>
<?php endforeach ?>
</ul>
`,
  `
call $this . escape
call $item . name
`,
);
