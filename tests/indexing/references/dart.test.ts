import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Dart", () => {
  check(
    "names of libraries, of their exports, of prefixes, and members by declared types",
    `
//- pubspec.yaml
name: shop
//- lib/shop.dart
export 'src/cart.dart' show Cart;
export 'src/item.dart' hide Secret;
//- lib/src/base.dart
abstract class Base {
  void log(String text);
  void close() {}
}
mixin Counted {
  int count() => 1;
}
//- lib/src/item.dart
import 'base.dart';
class Item implements Priced {
  const Item(this.price);
  Item.free() : price = 0;
  final int price;
  int rounded() => price;
  static Item parse(String text) => Item.free();
}
class Priced {}
class Secret {}
int twice(int x) => x;
int _hidden() => 2;
//- lib/src/cart.dart
import 'package:shop/src/item.dart' as items;
import 'base.dart' show Base, Counted;
import 'item.dart' hide twice;
class Cart extends Base with Counted implements items.Priced {
  Cart({required this.first, Item? second, items.Item last});
  final Item first;
  late final _made = const Item(1);
  Item get lead => first;
  void log(String text) {}
  @override
  Future<Item> load(List<Item> all, {Item? one}) async {
    super.close();
    this.count();
    items.twice(2);
    _hidden();
    final log = items.twice;
    log(1);
    all.map(helper);
    return new Item.free();
  }
  void hidden() => twice(2);
  void inherited() => close();
  void ofField() => first.rounded();
  void ofChecked(Item? item) => item!.rounded();
  void ofMade() => _made.rounded();
  void ofGetter() => lead.rounded();
  void ofNamed({int? one, required Item other}) => other.rounded();
  void ofList(List<Item> all) => all.rounded();
  void ofResult() => Item.parse('x').rounded();
  void ofCascade(Item item) => item..rounded();
}
int helper(Item item) => item.rounded();
//- test/cart_test.dart
import 'package:shop/shop.dart';
import 'package:other/other.dart';
import '../lib/src/gone.dart';
void main() {
  group('cart', () {
    test('adds', () async {
      Cart(first: Item.free()).load([]);
      Secret();
      Base();
      helper(1);
      twice(1);
    });
  });
}
`,
    `
lib/src/cart:Cart -> lib/src/base:Base inherit 0.9
lib/src/cart:Cart -> lib/src/base:Counted inherit 0.9
lib/src/cart:Cart -> lib/src/item:Priced implement 0.9
lib/src/cart:Cart.Cart -> lib/src/item:Item type 0.9
lib/src/cart:Cart._made -> lib/src/item:Item call 0.9
lib/src/cart:Cart.first -> lib/src/item:Item type 0.9
lib/src/cart:Cart.inherited -> lib/src/base:Base.close call 0.9
lib/src/cart:Cart.lead -> lib/src/item:Item type 0.9
lib/src/cart:Cart.load -> lib/src/base:Base.close call 0.9
lib/src/cart:Cart.load -> lib/src/base:Counted.count call 0.9
lib/src/cart:Cart.load -> lib/src/cart:helper call 1
lib/src/cart:Cart.load -> lib/src/item:Item call 0.9
lib/src/cart:Cart.load -> lib/src/item:Item type 0.9
lib/src/cart:Cart.load -> lib/src/item:Item.free call 0.8
lib/src/cart:Cart.load -> lib/src/item:twice call 0.9
lib/src/cart:Cart.ofCascade -> lib/src/item:Item type 0.9
lib/src/cart:Cart.ofCascade -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofChecked -> lib/src/item:Item type 0.9
lib/src/cart:Cart.ofChecked -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofField -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofGetter -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofList -> lib/src/item:Item type 0.9
lib/src/cart:Cart.ofMade -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofNamed -> lib/src/item:Item type 0.9
lib/src/cart:Cart.ofNamed -> lib/src/item:Item.rounded call 0.7
lib/src/cart:Cart.ofResult -> lib/src/item:Item type 0.9
lib/src/cart:Cart.ofResult -> lib/src/item:Item.parse call 0.8
lib/src/cart:Cart.ofResult -> lib/src/item:Item.rounded call 0.7
lib/src/cart:helper -> lib/src/item:Item type 0.9
lib/src/cart:helper -> lib/src/item:Item.rounded call 0.7
lib/src/item:Item -> lib/src/item:Priced implement 1
lib/src/item:Item.parse -> lib/src/item:Item type 1
lib/src/item:Item.parse -> lib/src/item:Item.free call 0.8
test/cart_test:main.cart.adds -> lib/src/cart:Cart call 0.8
test/cart_test:main.cart.adds -> lib/src/cart:Cart.load call 0.7
test/cart_test:main.cart.adds -> lib/src/item:Item type 0.8
test/cart_test:main.cart.adds -> lib/src/item:Item.free call 0.8
test/cart_test:main.cart.adds -> lib/src/item:twice call 0.8
`,
  );

  check(
    "parts see all names of their library, and what it imports",
    `
//- lib/cart.dart
library shop.cart;
import 'item.dart';
part 'cart_state.dart';
part 'cart_event.dart';
class Cart {
  void run() => _step(Loaded());
}
void _step(State state) {}
//- lib/cart_state.dart
part of 'cart.dart';
sealed class State {}
class Loaded extends State {
  void again() {
    _step(this);
    _twice();
    price();
  }
}
//- lib/cart_event.dart
part of shop.cart;
void _twice() => Cart().run();
//- lib/item.dart
void price() {}
void _step() {}
//- lib/page.dart
import 'cart.dart';
void show() {
  Loaded().again();
  price();
  _twice();
}
`,
    `
lib/cart:Cart.run -> lib/cart:_step call 1
lib/cart:Cart.run -> lib/cart_state:Loaded call 0.95
lib/cart:_step -> lib/cart_state:State type 0.95
lib/cart_event:_twice -> lib/cart:Cart call 0.95
lib/cart_event:_twice -> lib/cart:Cart.run call 0.7
lib/cart_state:Loaded -> lib/cart_state:State inherit 1
lib/cart_state:Loaded.again -> lib/cart:_step call 0.95
lib/cart_state:Loaded.again -> lib/cart_event:_twice call 0.95
lib/cart_state:Loaded.again -> lib/item:price call 0.8
lib/page:show -> lib/cart_state:Loaded call 0.8
lib/page:show -> lib/cart_state:Loaded.again call 0.7
`,
  );

  check(
    "the title of a test is no name",
    `
//- lib/cart.dart
class Cart {
  Cart();
}
total() => 1;
//- test/cart_test.dart
import '../lib/cart.dart';
check() => total();
void main() {
  group('Cart', () {
    group("total", () {
      blocTest<Cart, int>('check', build: () => Cart(), act: (_) => total(), verify: (_) => check());
    });
  });
}
`,
    `
test/cart_test:check -> lib/cart:total call 0.8
test/cart_test:main.Cart.total.check -> lib/cart:Cart call 0.8
test/cart_test:main.Cart.total.check -> lib/cart:Cart type 0.8
test/cart_test:main.Cart.total.check -> lib/cart:total call 0.8
test/cart_test:main.Cart.total.check -> test/cart_test:check call 1
`,
  );

  check(
    "functions and methods that are given to others are used, and values are not",
    `
//- lib/page.dart
class Page {
  final int count = 0;
  Object build(int width) {
    int inner(int x) => x;
    inner;
    return Button(count, width, inner, onTap: _tapped, color: count);
  }
  void _tapped() {}
  void again(Object _tapped) => run(_tapped, top);
}
void top() {}
`,
    `
lib/page:Page.again -> lib/page:top call 1
lib/page:Page.build -> lib/page:Page._tapped call 0.95
lib/page:Page.build -> lib/page:Page.build.inner call 1
`,
  );
});

check(
  "members of a named extension are those of the type that it extends",
  `
//- lib/cart.dart
class Cart { void close() {} }
class Menu { void label() {} }
extension Labels on Cart {
  void label() { close(); mark(); }
  void mark() {}
}
//- lib/use.dart
import 'cart.dart';
void param(Cart cart) { cart.label(); }
void made() { final cart = Cart(); cart.label(); }
void named(Cart cart) { Labels(cart).mark(); }
`,
  `
lib/cart:Labels -> lib/cart:Cart type 1
lib/cart:Labels.label -> lib/cart:Cart.close call 0.95
lib/cart:Labels.label -> lib/cart:Labels.mark call 0.95
lib/use:param -> lib/cart:Cart type 0.8
lib/use:param -> lib/cart:Labels.label call 0.7
lib/use:made -> lib/cart:Cart call 0.8
lib/use:made -> lib/cart:Labels.label call 0.7
lib/use:named -> lib/cart:Cart type 0.8
lib/use:named -> lib/cart:Labels call 0.8
lib/use:named -> lib/cart:Labels.mark call 0.7
`,
);

check(
  "a static member is one of the class, where its constructor has the same name",
  `
//- lib/cart.dart
class Cart {
  Cart(int n);
  static void open() {}
  void copy() { Cart.open(); }
}
extension Labels on Cart { void label() { Cart.open(); } }
`,
  `
lib/cart:Cart.copy -> lib/cart:Cart type 1
lib/cart:Cart.copy -> lib/cart:Cart.open call 0.8
lib/cart:Labels -> lib/cart:Cart type 1
lib/cart:Labels.label -> lib/cart:Cart type 1
lib/cart:Labels.label -> lib/cart:Cart.open call 0.8
`,
);

check(
  "members that a named extension adds to a type from outside",
  `
//- lib/context.dart
import 'package:flutter/widgets.dart';
extension Labels on BuildContext {
  String label() => find();
  String find() => '';
}
extension on String {
  String trimmed() => trim();
  String twice() => this.trimmed();
}
//- lib/other.dart
extension Marks on Other { void label() {} }
//- lib/use.dart
import 'package:flutter/widgets.dart';
import 'context.dart';
class Page {
  Page(this.parent);
  final BuildContext parent;
  void own() { parent.label(); }
  void build(BuildContext context) {
    context.label();
    context.missing();
    context?.find();
  }
  void unknown(other) { other.trim(); }
}
//- lib/apart.dart
import 'package:flutter/widgets.dart';
void apart(BuildContext context) { context.label(); }
`,
  `
lib/context:Labels.label -> lib/context:Labels.find call 0.95
lib/context:String.twice -> lib/context:String.trimmed call 0.95
lib/use:Page.build -> lib/context:Labels.find call 0.7
lib/use:Page.build -> lib/context:Labels.label call 0.7
lib/use:Page.own -> lib/context:Labels.label call 0.7
`,
);

check(
  "what stands in a comment is no part of a name, also within a chain",
  `
//- lib/cart.dart
class Cart {
  Cart open() => this;
  void close() {}
}
//- lib/use.dart
import 'cart.dart';
/// Opens the first of all carts.
Cart first(Cart cart) => cart;
void run(Cart cart) {
  // A cart (even of others).
  cart
      .open() // Opened twice (see above).
      .close();
}
`,
  `
lib/cart:Cart.open -> lib/cart:Cart type 1
lib/use:first -> lib/cart:Cart type 0.8
lib/use:run -> lib/cart:Cart type 0.8
lib/use:run -> lib/cart:Cart.close call 0.7
lib/use:run -> lib/cart:Cart.open call 0.7
`,
);
