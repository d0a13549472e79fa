import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Elixir", () => {
  check(
    "calls of the own module, of other modules, of aliases and of imports",
    `
//- lib/shop/cart.ex
defmodule Shop.Cart do
  alias Shop.{Order, Prices.Table}
  alias Shop.Money, as: Cash
  import Shop.Sums
  import Shop.Texts, only: [label: 1]

  @spec total(Order.t()) :: integer
  def total(%Order{} = order) do
    order |> lines |> sum()
    __MODULE__.lines(order)
    Table.price(order)
    Shop.Log.note("total")
    Enum.map([], &Cash.round/1)
    Enum.map([], &label/1)
    order.paid
  end

  def lines(lines, max), do: lines(lines)
  def lines([]), do: []
end
//- lib/shop/order.ex
defmodule Shop.Order do
  @type t :: %__MODULE__{}
  defstruct [:paid]
  def paid(order), do: order
end
//- lib/shop/prices.ex
defmodule Shop.Prices do
  defmodule Table do
    def price(order), do: order
  end
end
//- lib/shop/more.ex
defmodule Shop.Money do
  def round(sum), do: sum
end
defmodule Shop.Sums do
  def sum(lines), do: lines
  def label(x), do: x
end
defmodule Shop.Texts do
  def label(x), do: x
  def sum(x), do: x
end
//- lib/shop/log.ex
defmodule Shop.Log do
  def note(text), do: text
end
//- lib/enum.ex
defmodule Shop.Enum do
  def map(list, fun), do: fun.(list)
end
`,
    `
lib/shop/cart:Shop.Cart.total -> lib/shop/cart:Shop.Cart.lines call 1
lib/shop/cart:Shop.Cart.total -> lib/shop/log:Shop.Log.note call 0.9
lib/shop/cart:Shop.Cart.total -> lib/shop/more:Shop.Money.round call 0.9
lib/shop/cart:Shop.Cart.total -> lib/shop/more:Shop.Sums.sum call 0.8
lib/shop/cart:Shop.Cart.total -> lib/shop/more:Shop.Texts.label call 0.9
lib/shop/cart:Shop.Cart.total -> lib/shop/order:Shop.Order type 0.9
lib/shop/cart:Shop.Cart.total -> lib/shop/order:Shop.Order.t type 0.9
lib/shop/cart:Shop.Cart.total -> lib/shop/prices:Shop.Prices.Table.price call 0.9
`,
  );

  check(
    "use gives what the module imports in quoted blocks, and stands for its callbacks",
    `
//- lib/web.ex
defmodule Web do
  import Web.Private
  def controller do
    quote do
      use Web.Controller
      alias Web.Routes, as: Paths
    end
  end
  defmacro __using__(which), do: apply(__MODULE__, which, [])
end
//- lib/controller.ex
defmodule Web.Controller do
  @callback init(map) :: map
  defmacro __using__(_) do
    quote location: :keep do
      import Web.Conn
    end
  end
end
//- lib/parts.ex
defmodule Web.Conn do
  def send_page(conn), do: conn
end
defmodule Web.Private do
  def secret_word(conn), do: conn
end
defmodule Web.Routes do
  def home_path(conn), do: conn
end
//- lib/pages.ex
defmodule Web.Pages do
  use Web, :controller
  @behaviour Web.Controller
  plug :check_user
  def show(conn) do
    secret_word(conn)
    init(conn)
    send_page(conn)
    Paths.home_path(conn)
  end
  defp check_user(conn), do: conn
end
//- test/pages_test.exs
defmodule Web.PagesTest do
  use ExUnit.Case
  test "shows a page" do
    assert Web.Pages.show(1)
    Web.Pages.init(%{})
  end
end
`,
    `
lib/pages:Web.Pages -> lib/controller:Web.Controller implement 0.9
lib/pages:Web.Pages -> lib/pages:Web.Pages.check_user call 1
lib/pages:Web.Pages -> lib/web:Web inherit 0.9
lib/pages:Web.Pages.show -> lib/parts:Web.Conn.send_page call 0.8
lib/pages:Web.Pages.show -> lib/parts:Web.Routes.home_path call 0.9
lib/web:Web.controller -> lib/controller:Web.Controller inherit 0.9
test/pages_test:Web.PagesTest.shows a page -> lib/controller:Web.Controller.init call 0.9
test/pages_test:Web.PagesTest.shows a page -> lib/pages:Web.Pages.show call 0.9
`,
  );

  check(
    "the title of a test is no name",
    `
//- lib/cart.ex
defmodule Cart do
  def total(x), do: x
end
//- test/cart_test.exs
defmodule CartTest do
  import Cart
  describe "total" do
    test "adds" do
      total(1)
    end
  end
end
`,
    `
test/cart_test:CartTest.total.adds -> lib/cart:Cart.total call 0.8
`,
  );

  check(
    "the imports of a module inside of another are only seen in it",
    `
//- lib/shop.ex
defmodule Shop do
  def push(cart), do: cart
end
//- lib/shop_test.ex
defmodule ShopTest do
  def push(cart), do: cart
end
//- lib/use.ex
defmodule Use do
  defmodule Inner do
    import Shop
    def run(cart), do: push(cart)
  end
  import ShopTest
  def run(cart), do: push(cart)
end
`,
    `
lib/use:Use.Inner.run -> lib/shop:Shop.push call 0.8
lib/use:Use.run -> lib/shop_test:ShopTest.push call 0.8
`,
  );
});
