/** Guesses at members that only their own class may call. */
import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("a private member", () => {
  check(
    "is none of a value of unknown type",
    `
//- cart.rb
class Cart
  def reopen_cart
    weigh_cart
  end

  private

  def weigh_cart; end

  class Item
    def label_item; end
  end
end
//- use.rb
def run(cart, item)
  cart.reopen_cart
  cart.weigh_cart
  item.label_item
end
//- cart.php
<?php
class Cart {
  public function openCart() {}
  private function weighCart() {}
}
//- use.php
<?php
function run($cart) { $cart->openCart(); $cart->weighCart(); }
`,
    `
cart:Cart.reopen_cart -> cart:Cart.weigh_cart call 0.95
use:run -> cart:Cart.Item.label_item call 0.5
use:run -> cart:Cart.openCart call 0.5
use:run -> cart:Cart.reopen_cart call 0.5
`,
  );
});
