import { checkEdges } from "./imports-check.ts";

checkEdges(
  "a module is found by its whole name, through aliases, and in the project of the file",
  `
//- apps/shop/mix.exs
defmodule Shop.MixProject do
end
//- apps/shop/lib/cart.ex
defmodule Shop.Cart do
  alias Shop.Shop
  alias Shop.Deep.{
    Item, # sold
    Nested.Part
  }
  require Logger
  use Shop.Base
  def run(x) do
    Shop.open(x)
    %Item{} = x
    Part.Inner.go(x)
    Clock.now()
    Shop.Missing.call(x)
  end
end
//- apps/shop/lib/base.ex
defmodule Shop.Base do
end
//- apps/shop/lib/clock.ex
defmodule Clock do
end
//- apps/shop/lib/inner.ex
defmodule Shop.Shop.Deep.Nested.Part.Inner do
end
//- apps/shop/lib/item.ex
defmodule Shop.Shop.Deep.Item do
end
//- apps/shop/lib/part.ex
defmodule Shop.Shop.Deep.Nested.Part do
end
//- apps/shop/lib/shop.ex
defmodule Shop.Shop do
end
//- apps/till/lib/clock.ex
defmodule Clock do
end
//- apps/till/mix.exs
//- mix.exs
`,
  `
apps/shop/lib/cart.ex -> apps/shop/lib/clock.ex
apps/shop/lib/cart.ex -> apps/shop/lib/inner.ex
apps/shop/lib/cart.ex -> apps/shop/lib/item.ex
apps/shop/lib/cart.ex -> apps/shop/lib/part.ex
apps/shop/lib/cart.ex -> apps/shop/lib/shop.ex
`,
);
