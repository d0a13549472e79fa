/** Modules of Ruby and traits of PHP: what they call of themselves may be a member of what uses them. */
import { checkReferences as check } from "../references-check.ts";

check(
  "a trait of PHP calls members of what uses it, directly or through another trait",
  `
//- src/Cart.php
<?php
namespace App;
class Cart extends Base implements Shown {
  use Prices;
  private function own() {}
  public function other() { $this->show(); }
}
class Base { public function based() {} }
interface Shown { public function show(); }
//- src/Prices.php
<?php
namespace App;
trait Prices { use Sums; use Labels; public function price(): static { return $this; } }
//- src/Sums.php
<?php
namespace App;
trait Sums {
  public function add() {
    $this->label_all();
    static::own();
    self::based();
    $this->price()->label_all();
    $this->missing();
  }
}
//- src/Labels.php
<?php
namespace App;
trait Labels { public function label_all() {} public function show() {} }
//- src/Other.php
<?php
namespace App;
class Other { public function missing() {} private function own() {} public function price() {} }
`,
  `
src/Cart:Cart -> src/Cart:Base inherit 1
src/Cart:Cart -> src/Cart:Shown implement 1
src/Cart:Cart -> src/Prices:Prices implement 0.95
src/Cart:Cart.other -> src/Labels:Labels.show call 0.9
src/Prices:Prices -> src/Labels:Labels implement 0.95
src/Prices:Prices -> src/Sums:Sums implement 0.95
src/Sums:Sums.add -> src/Cart:Base.based call 0.7
src/Sums:Sums.add -> src/Cart:Cart.own call 0.7
src/Sums:Sums.add -> src/Labels:Labels.label_all call 0.7
src/Sums:Sums.add -> src/Prices:Prices.price call 0.7
`,
);

check(
  "a module of Ruby calls what it includes and what includes it",
  `
//- lib/sums.rb
module Shop
  module Sums
    include Prices
    def add
      price_of
      label_all
      self.based_on
      missing_one
    end
    def self.included(base)
      base.extend(Titles)
    end
    module Titles
      def title
        title_of
      end
    end
  end
end
//- lib/prices.rb
module Shop
  module Prices
    def price_of; end
  end
end
//- lib/cart.rb
module Shop
  class Cart < Base
    include Sums
    def label_all; end
    def self.title_of; end
  end
  class Base
    def based_on; end
  end
  class Other
    def label_all; end
    def missing_one; end
  end
end
`,
  `
lib/cart:Shop.Cart -> lib/cart:Shop.Base inherit 1
lib/cart:Shop.Cart -> lib/sums:Shop.Sums implement 0.95
lib/sums:Shop.Sums -> lib/prices:Shop.Prices implement 0.95
lib/sums:Shop.Sums.Titles.title -> lib/cart:Shop.Cart.title_of call 0.7
lib/sums:Shop.Sums.add -> lib/cart:Shop.Base.based_on call 0.7
lib/sums:Shop.Sums.add -> lib/cart:Shop.Cart.label_all call 0.7
lib/sums:Shop.Sums.add -> lib/prices:Shop.Prices.price_of call 0.9
lib/sums:Shop.Sums.included -> lib/sums:Shop.Sums.Titles implement 1
`,
);

check(
  "a member that many users define differently is not guessed",
  `
//- src/Sums.php
<?php
namespace App;
trait Sums { public function add() { $this->total(); $this->twice(); } }
${["A", "B", "C", "D"].map((name) => `class ${name} { use Sums; private function total() {} ${name < "C" ? "private function twice() {}" : ""} }`).join("\n")}
`,
  `
src/Sums:A -> src/Sums:Sums implement 1
src/Sums:B -> src/Sums:Sums implement 1
src/Sums:C -> src/Sums:Sums implement 1
src/Sums:D -> src/Sums:Sums implement 1
src/Sums:Sums.add -> src/Sums:A.twice call 0.15
src/Sums:Sums.add -> src/Sums:B.twice call 0.15
`,
);
