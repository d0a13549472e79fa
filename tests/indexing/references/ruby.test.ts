import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Ruby", () => {
  check(
    "a module inside a class continues in other files, too",
    `
//- lib/tool.rb
class Tool
  module Actions
    ROOTS = []
    def source_path(name)
    end
    def self.included(base)
    end
  end
end
//- lib/tool/copying.rb
class Tool
  module Actions
    def copy(name)
      source_path(name)
      ROOTS.each { |root| name }
    end
  end
  def run
    source_path("no")
    Actions.included(self)
  end
end
//- lib/other.rb
class Other
  module Actions
    def copy(name)
      source_path(name)
    end
  end
end
`,
    `
lib/tool/copying:Tool.Actions.copy -> lib/tool:Tool.Actions.ROOTS type 0.95
lib/tool/copying:Tool.Actions.copy -> lib/tool:Tool.Actions.source_path call 0.95
lib/tool/copying:Tool.run -> lib/tool/copying:Tool.Actions type 0.95
lib/tool/copying:Tool.run -> lib/tool:Tool.Actions.included call 0.9
`,
  );

  check(
    "classes and modules continue in other files",
    `
//- lib/shop.rb
module Shop
  def self.open
    Cart.new
  end
end
//- lib/shop/cart.rb
module Shop
  class Cart < Base
    include Counting
    def add(item)
      check_item(item)
      shared
      tally
      self.late
      Shop.open
      Shop::Till.ring
    end
    private
    def check_item(item)
    end
  end
end
//- lib/shop/more.rb
module Shop
  class Cart
    def late
      add(1)
    end
  end
  class Till
    def self.ring
    end
  end
end
//- lib/shop/base.rb
class Shop::Base
  def shared
  end
end
//- lib/shop/counting.rb
module Shop
  module Counting
    def tally
    end
  end
end
`,
    `
lib/shop:Shop.open -> lib/shop/cart:Shop.Cart call 0.95
lib/shop/cart:Shop.Cart -> lib/shop/base:Shop.Base inherit 0.95
lib/shop/cart:Shop.Cart -> lib/shop/counting:Shop.Counting implement 0.95
lib/shop/cart:Shop.Cart.add -> lib/shop/cart:Shop.Cart.check_item call 0.95
lib/shop/cart:Shop.Cart.add -> lib/shop/base:Shop.Base.shared call 0.9
lib/shop/cart:Shop.Cart.add -> lib/shop/counting:Shop.Counting.tally call 0.9
lib/shop/cart:Shop.Cart.add -> lib/shop/more:Shop.Cart.late call 0.95
lib/shop/cart:Shop.Cart.add -> lib/shop/cart:Shop type 1
lib/shop/cart:Shop.Cart.add -> lib/shop:Shop.open call 0.9
lib/shop/cart:Shop.Cart.add -> lib/shop/more:Shop.Till type 0.9
lib/shop/cart:Shop.Cart.add -> lib/shop/more:Shop.Till.ring call 0.8
lib/shop/more:Shop.Cart.late -> lib/shop/cart:Shop.Cart.add call 0.95
`,
  );

  check(
    "external constants and common methods give nothing",
    `
//- a.rb
class A
  def settle_all
  end
  def each
  end
end
//- b.rb
class B
  def go(x)
    Net::Http.settle_all
    x.each
    x.settle_all
  end
end
`,
    "b:B.go -> a:A.settle_all call 0.5",
  );

  check(
    "names are searched from the innermost scope outwards, in every part of it",
    `
//- a.rb
module A
  module B
    class Here
      def go
        Inner.new
        Outer.new
        Far.new
      end
    end
  end
end
//- b.rb
module A
  module B
    class Inner
    end
  end
  class Inner
  end
  class Outer
  end
end
class Outer
end
class Far
end
`,
    `
a:A.B.Here.go -> b:A.B.Inner call 0.95
a:A.B.Here.go -> b:A.Outer call 0.95
a:A.B.Here.go -> b:Far call 0.95
`,
  );

  check(
    "absolute names are searched at the top level, and methods of every object give nothing",
    `
//- top.rb
class Tool
  def self.cut_all; end
  def include?(x); end
  def key?(x); end
  def respond_to?(x); end
  def sharpen_it; end
end
//- shop.rb
module Shop
  class Tool
    def self.cut_all; end
  end
  class Till
    def go(list)
      Tool.cut_all
      ::Tool.cut_all
      ::Shop::Tool.cut_all
      ::Till.go
      list.include?(1)
      list.key?(1)
      list.respond_to?(:x)
      list.sharpen_it
    end
  end
end
`,
    `
shop:Shop.Till.go -> shop:Shop.Tool type 1
shop:Shop.Till.go -> shop:Shop.Tool.cut_all call 0.8
shop:Shop.Till.go -> top:Tool type 0.9
shop:Shop.Till.go -> top:Tool.cut_all call 0.8
shop:Shop.Till.go -> top:Tool.sharpen_it call 0.5
`,
  );

  check(
    "an anonymous class has its own base",
    `
//- base.rb
class Base
  def answer; end
end
class Case
  def answer; end
end
//- case.rb
class MyCase < Case
  def go
    made { Class.new(Base) { answer } }
    answer
  end
  app = Class.new(Base)
end
`,
    `
case:MyCase -> base:Case inherit 0.95
case:MyCase -> base:Base inherit 0.95
case:MyCase.go -> base:Base type 0.95
case:MyCase.go -> base:Case.answer call 0.9
`,
  );

  check(
    "a reopened external class, and functions of files that may not be loaded, are weak guesses",
    `
//- helper.rb
class Outer::Case
  def answer; end
end
def answer; end
def only_here; end
//- loaded.rb
def given; end
//- case.rb
require_relative "loaded"
class MyCase < Outer::Case
  def go
    answer
    only_here
    given
  end
end
`,
    `
case:MyCase -> helper:Outer.Case inherit 0.9
case:MyCase.go -> helper:Outer.Case.answer call 0.9
case:MyCase.go -> helper:only_here call 0.5
case:MyCase.go -> loaded:given call 0.95
`,
  );

  check(
    "constants of a class are seen in its methods, in classes inside it, and in those that inherit them",
    `
//- base.rb
class Base
  SHARED = 1
end
//- cart.rb
class Cart < Base
  LIMIT = 3
  def go
    LIMIT + SHARED
  end
  class Line
    def run
      LIMIT
    end
  end
end
`,
    `
cart:Cart -> base:Base inherit 0.95
cart:Cart.go -> base:Base.SHARED type 0.9
cart:Cart.go -> cart:Cart.LIMIT type 0.95
cart:Cart.Line.run -> cart:Cart.LIMIT type 0.95
`,
  );

  check(
    "methods that callbacks and delegations name",
    `
//- app/page.rb
class Page
  include Tracked
  before_save :tidy, if: :dirty?
  validate :named
  delegate :title, to: :author
  rescue_from Gone, with: :show
  def author
    Author.new
  end
  def heading
    title
  end
  private
  def tidy
  end
  def dirty?
  end
  def named
  end
end
//- app/tracked.rb
module Tracked
  included do
    after_save :track
  end
  def track
  end
end
//- app/other.rb
class Other
  def show
  end
end
//- app/author.rb
class Author
end
`,
    `
app/page:Page -> app/tracked:Tracked implement 0.95
app/page:Page -> app/page:Page.tidy call 0.95
app/page:Page -> app/page:Page.dirty? call 0.95
app/page:Page -> app/page:Page.named call 0.95
app/page:Page.title -> app/page:Page.author call 0.95
app/page:Page.author -> app/author:Author call 0.95
app/page:Page.heading -> app/page:Page.title call 0.95
app/tracked:Tracked -> app/tracked:Tracked.track call 1
`,
  );

  check(
    "an object made by 'new' has what its class and the modules of that have",
    `
//- lib/greets.rb
module Greets
  def greet; end
end
//- lib/person.rb
require_relative "greets"
class Person
  include Greets
  def self.call(name) = new(name).greet
  def self.open = new.greet
end
//- lib/made.rb
require_relative "person"
class Made
  def self.new; end
  def greet; end
end
def plain
  Person.new.greet
end
def with_arguments
  Person.new("Ann").greet
end
def made
  Made.new.greet
end
def unknown(type)
  type.new.greet
end
`,
    `
lib/made:plain -> lib/greets:Greets.greet call 0.7
lib/made:plain -> lib/person:Person call 0.95
lib/made:with_arguments -> lib/greets:Greets.greet call 0.7
lib/made:with_arguments -> lib/person:Person call 0.95
lib/made:made -> lib/greets:Greets.greet call 0.15
lib/made:made -> lib/made:Made call 1
lib/made:made -> lib/made:Made.greet call 0.15
lib/made:unknown -> lib/greets:Greets.greet call 0.15
lib/made:unknown -> lib/made:Made.greet call 0.15
lib/person:Person -> lib/greets:Greets implement 0.95
lib/person:Person.call -> lib/greets:Greets.greet call 0.7
lib/person:Person.open -> lib/greets:Greets.greet call 0.9
`,
  );

  check(
    "a module gives its users what it extends them with",
    `
//- lib/configurable.rb
module Shop
  module Configurable
    def self.included(mod)
      mod.extend(ClassMethods)
      mod.extend Shop::Naming if mod.named?
    end
    module ClassMethods
      def config_param(name)
      end
    end
  end
  module Naming
    def title_of(name)
    end
    class Till
    end
  end
  class Till
  end
end
//- lib/cart.rb
module Shop
  class Cart
    include Configurable
    include Labels
    config_param :size
    title_of :cart
    def show
      label_all
      Till.new
    end
    module Labels
      def label_all
      end
    end
  end
  class Basket < Cart
    config_param :weight
  end
end
//- lib/other.rb
module Shop
  class Other
    config_param :size
    def extend_with(mod)
      mod.extend(Configurable)
    end
  end
end
`,
    `
lib/cart:Shop.Basket -> lib/cart:Shop.Cart inherit 1
lib/cart:Shop.Basket -> lib/configurable:Shop.Configurable.ClassMethods.config_param call 0.9
lib/cart:Shop.Cart -> lib/cart:Shop.Cart.Labels implement 0.95
lib/cart:Shop.Cart -> lib/configurable:Shop.Configurable implement 0.95
lib/cart:Shop.Cart -> lib/configurable:Shop.Configurable.ClassMethods.config_param call 0.9
lib/cart:Shop.Cart -> lib/configurable:Shop.Naming.title_of call 0.9
lib/cart:Shop.Cart.show -> lib/cart:Shop.Cart.Labels.label_all call 0.9
lib/cart:Shop.Cart.show -> lib/configurable:Shop.Till call 0.95
lib/configurable:Shop.Configurable.included -> lib/configurable:Shop.Configurable.ClassMethods implement 1
lib/configurable:Shop.Configurable.included -> lib/configurable:Shop.Naming implement 0.9
lib/other:Shop.Other.extend_with -> lib/configurable:Shop.Configurable type 0.95
`,
  );
});
