/** What is found in Elixir: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, importLines, referenceLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `defmodule My.App do
  @moduledoc """
  The app.
  """
  use GenServer
  @timeout 5000
  @type t :: %__MODULE__{}
  defstruct [:a, b: 1]
  @doc """
  Runs.
  """
  @spec run(integer) :: atom
  def run(x) when is_integer(x) do
    x
  end
  def run(x), do: x
  @doc "One line"
  def one, do: 1
  @doc false
  defp priv(a), do: a
  defmacro mac(x) do quote do: unquote(x) end
  defmacrop mp(x), do: x
  defguard is_a(x) when x == 1
  defguardp is_b(x) when x == 1
  defdelegate del(x), to: Other
  defexception [:message]
  @callback cb(term) :: atom
  def a + b, do: 1
  def unquote(name)(x), do: x
  defmodule Inner do
    def z, do: 1
  end
end
defprotocol Proto do
  @doc ~S"""
  Heredoc sigil
  """
  def size(x)
end
defimpl Proto, for: My.App do
  def size(x), do: 1
end
test "some test" do
  1
end
describe "desc" do
  test "b", %{conn: c} do
  end
end
defmodule Docs do
  @typedoc "A name."
  @type name(a) :: a
  @typep hidden :: atom
  @impl true
  @doc since: "1.0"
  @doc "Last."
  # between
  def last(x) when x > 1 do
    def_like(x)
  end
  def -x, do: x
  defimpl Proto do
    def size(_), do: 0
  end
end
`;
  const expected = `
+namespace My.App 1-33 defmodule My.App «plain: The app.»
+variable My.App.timeout 6-6 @timeout 5000
+type_alias My.App.t 7-7 @type t :: %__MODULE__{}
+class My.App.defstruct 8-8 defstruct [:a, b: 1]
+function My.App.run 9-15@13 def run(x) when is_integer(x) «plain: Runs.»
+function My.App.run 16-16 def run(x)
+function My.App.one 17-18@18 def one «plain: One line»
-function My.App.priv 19-20@20 defp priv(a)
+function My.App.mac 21-21 defmacro mac(x)
-function My.App.mp 22-22 defmacrop mp(x)
+function My.App.is_a 23-23 defguard is_a(x) when x == 1
-function My.App.is_b 24-24 defguardp is_b(x) when x == 1
+function My.App.del 25-25 defdelegate del(x), to: Other
+class My.App.defexception 26-26 defexception [:message]
+method My.App.cb 27-27 @callback cb(term) :: atom
+function My.App.+ 28-28 def a + b, do: 1
+namespace My.App.Inner 30-32 defmodule Inner
+function My.App.Inner.z 31-31 def z
+interface Proto 34-39 defprotocol Proto
+function Proto.size 35-38@38 def size(x) «plain: Heredoc sigil»
+namespace Proto.My.App 40-42 defimpl Proto, for: My.App
+function Proto.My.App.size 41-41 def size(x)
+function some test 43-45 test "some test"
+function desc 46-49 describe "desc"
-function desc.b 47-48 test "b", %{conn: c}
+namespace Docs 50-65 defmodule Docs
+type_alias Docs.name 51-52@52 @type name(a) :: a «plain: A name.»
-type_alias Docs.hidden 53-53 @typep hidden :: atom
+function Docs.last 54-60@58 def last(x) when x > 1 «plain: Last.»
+function Docs.- 61-61 def -x, do: x
+namespace Docs.Proto 62-64 defimpl Proto
+function Docs.Proto.size 63-63 def size(_)
`;
  expect(await symbolLines("elixir", source)).toEqual(expected.trim().split("\n"));
});

test("modules that are named by a part of another one or by an atom", async () => {
  const source = `defmodule Shop do
  defmodule __MODULE__.Cart do
    def add(item), do: item
  end
end
defmodule :shop do
  def start, do: :ok
end
`;
  const expected = `
+namespace Shop 1-5 defmodule Shop
+namespace Shop.__MODULE__.Cart 2-4 defmodule __MODULE__.Cart
+function Shop.__MODULE__.Cart.add 3-3 def add(item)
+namespace :shop 6-8 defmodule :shop
+function :shop.start 7-7 def start
`;
  expect(await symbolLines("elixir", source)).toEqual(expected.trim().split("\n"));
});

test("comments are never documentation", async () => {
  const source = `# Top.
defmodule A do
  # Says why: because of #123.
  def a, do: 1
end
`;
  expect(await commentLines("elixir", source)).toEqual([
    "1-1 general in A: Top.",
    "3-3 bug_ref! in A.a: Says why: because of #123.",
  ]);
});

test("imports, those in quoted blocks as what the module gives on", async () => {
  const source = `defmodule Shop.Web do
  alias Shop.Cart
  alias Shop.{Item, # sold
    Deep.Part}
  alias __MODULE__.Inner, as: In
  alias __MODULE__
  import Shop.Sums, only: [add: 2, empty?: 1]
  import Shop.Texts, only: :macros
  require Logger
  require Shop.Log, as: Log
  use Shop.Base, only: [a: 1]
  defmacro __using__(_) do
    quote location: :keep do
      import Shop.Sums
      alias Shop.Cart, as: Basket
      use(Shop.Base)
    end
  end
  def alias(x), do: x
end
`;
  expect(await importLines("elixir", source)).toEqual([
    "2 import Shop.Cart *>Cart",
    "3 import Shop.Item *>Item",
    "3 import Shop.Deep.Part *>Part",
    "5 import __MODULE__.Inner *>In",
    "6 import __MODULE__ *>__MODULE__",
    "7 import Shop.Sums add empty?",
    "8 import Shop.Texts *",
    "9 import Logger",
    "10 import Shop.Log *>Log",
    "11 import Shop.Base *",
    "14 reexport Shop.Sums *",
    "15 reexport Shop.Cart *>Basket",
    "16 reexport Shop.Base *",
  ]);
});

test("uses of names", async () => {
  const source = `defmodule Shop.Cart do
  use Shop.Base
  alias Shop.Item
  @behaviour Shop.Store
  @spec run(Item.t(), list) :: :ok
  def run(%Item{} = item, list) do
    item |> total |> Shop.Sums.add(list)
    Enum.map(list, &round/1)
    Enum.map(list, &Item.price/1)
    item.name
    item.store.save(item)
    @store.open(item)
    :lists.reverse(list)
    Item.all
    empty? list
    raise Shop.Error, "x"
    if item, do: super(item)
  end
end
defimpl Shop.Show, for: Shop.Item do
  plug :check
end
`;
  expect(await referenceLines("elixir", source)).toEqual([
    "inherit Shop.Base in Shop.Cart",
    "implement Shop.Store in Shop.Cart",
    "type Item . t in Shop.Cart.run",
    "type Item in Shop.Cart.run",
    "call total in Shop.Cart.run",
    "call Shop.Sums . add in Shop.Cart.run",
    "call Enum . map in Shop.Cart.run",
    "call round in Shop.Cart.run",
    "call Item . price in Shop.Cart.run",
    "call @store . open in Shop.Cart.run",
    "call Item . all in Shop.Cart.run",
    "call empty? in Shop.Cart.run",
    "type Shop.Error in Shop.Cart.run",
    "implement Shop.Show in Shop.Show.Shop.Item",
    "call plug in Shop.Show.Shop.Item",
    "call check in Shop.Show.Shop.Item",
  ]);
});
