/** What is found in Ruby: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("ruby");

finds(
  "definitions of every kind",
  symbolLines,
  `
# frozen_string_literal: true
# typed: true

# The shop.
module Shop
  VERSION = "1"
  LOW, HIGH = 0, 1
  CACHE ||= {}
  # A cart.
  #
  # @example
  #   Cart.new
  class Cart < Base::Thing
    attr_reader :size, "price"
    Point = Struct.new(:x, :y) do
      def length = Math.sqrt(x)
    end
    Failed = Class.new(StandardError)
    alias old_size size
    alias :first :[]
    alias_method :count, :size
    define_method(:each) { |item| yield item }
    sig { returns(Integer) }
    # Adds.
    def add(item, count = 1, *rest, key:, &block)
      helper = 1
      LOCAL = 2
    end
    def empty?; end
    def ==(other) end
    def name=(value); @name = value; end
    def self.open(path)
    end
    class << self
      def build; end
    end
  end
end

class Shop::Cart::Item; end
class ::Top < Struct.new(:a); end
Shop::LIMIT = 3
def run(x) = x
def Shop.stop
end
=begin
Old documentation.
=end
def last; end
__END__
def none; end
`,
  `
+namespace Shop 4/5-38 module Shop «plain: The shop.»
+variable Shop.VERSION 6-6 VERSION = "1"
+variable Shop.LOW 7-7 LOW, HIGH = 0, 1
+variable Shop.HIGH 7-7 LOW, HIGH = 0, 1
+variable Shop.CACHE 8-8 CACHE ||= {}
+class Shop.Cart 9/13-37 class Cart < Base::Thing «plain: A cart.⏎⏎@example⏎  Cart.new»
+property Shop.Cart.size 14-14 attr_reader :size, "price"
+property Shop.Cart.price 14-14 attr_reader :size, "price"
+class Shop.Cart.Point 15-17 Point = Struct.new(:x, :y)
+method Shop.Cart.Point.length 16-16 def length
+class Shop.Cart.Failed 18-18 Failed = Class.new(StandardError)
+method Shop.Cart.old_size 19-19 alias old_size size
+method Shop.Cart.first 20-20 alias :first :[]
+method Shop.Cart.count 21-21 alias_method :count, :size
+method Shop.Cart.each 22-22 define_method(:each) { |item| yield item }
+method Shop.Cart.add 23-28@25 def add(item, count = 1, *rest, key:, &block)
+method Shop.Cart.empty? 29-29 def empty?
+method Shop.Cart.== 30-30 def ==(other)
+method Shop.Cart.name= 31-31 def name=(value)
+method Shop.Cart.open 32-33 def self.open(path)
+method Shop.Cart.build 35-35 def build
+class Shop.Cart.Item 40-40 class Shop::Cart::Item
+class Top 41-41 class ::Top < Struct.new(:a)
+variable Shop.LIMIT 42-42 Shop::LIMIT = 3
+function run 43-43 def run(x)
+method Shop.stop 44-45 def Shop.stop
+function last 46/49-49 def last «plain: Old documentation.»
`,
);

test("definitions below private, or named after it, are not exported", async () => {
  const lines = await symbolLines(
    "ruby",
    `class A
  def a; end
  private
  def b; end
  attr_reader :c
  class Inner
    def d; end
  end
  class << self
    def e; end
    private
    def f; end
  end
  public
  def g; end
  private def h; end
  private attr_reader :i
  protected
  def j; end
  def k; end
  private :k
  def self.l; end
  private_class_method :l
  private_class_method def self.m; end
  N = 1
  private_constant :N
end
def private; end
private
def o; end
`,
  );
  const hidden = lines.filter((line) => line.startsWith("-")).map((line) => line.split(" ")[1]);
  expect(hidden).toEqual(["A.b", "A.c", "A.Inner", "A.Inner.d", "A.f", "A.h", "A.i", "A.k", "A.l", "A.m", "A.N"]);
});

test("private applies to methods of the object, private_class_method to those of the class", async () => {
  const lines = await symbolLines(
    "ruby",
    `class A
  def self.a; end
  def b; end
  def self.b; end
  def c; end
  def self.c; end
  private_class_method :b, :d
  private :c
  private
  def self.d; end
  def self.e; end
  def e; end
end
`,
  );
  const hidden = lines
    .filter((line) => line.startsWith("-"))
    .map((line) => line.replace(/^-method (\S+) \S+ /, "$1: "));
  expect(hidden).toEqual(["A.b: def self.b", "A.c: def c", "A.d: def self.d", "A.e: def e"]);
});

finds(
  "methods that a call defines by their names",
  symbolLines,
  `
class A
  extend Forwardable
  delegate :title, :size, to: :page
  delegate :name, to: :page, prefix: true
  delegate %i[a b] => :@list
  def_delegators :@list, :push, :pop
  def_delegator :@list, :first
  scope :active, -> { where(active: true) }
  scope :admin do
  end
end
`,
  `
+class A 1-11 class A
+property A.title 3-3 delegate :title, :size, to: :page
+property A.size 3-3 delegate :title, :size, to: :page
+property A.push 6-6 def_delegators :@list, :push, :pop
+property A.pop 6-6 def_delegators :@list, :push, :pop
+property A.first 7-7 def_delegator :@list, :first
+method A.active 8-8 scope :active, -> { where(active: true) }
`,
);

finds(
  "imports in every form",
  importLines,
  `
require "json"
require_relative '../near'
load "tasks/run.rake"
autoload :Builder, "shop/builder"
Kernel.require "not this"
require File.expand_path("../lib/shop", __dir__)
require File.join(__dir__, "more")
require "shop/#{name}"
require name
def late
  require "late"
end
`,
  `
1 require json
2 import ../near
3 dynamic tasks/run.rake
4 require shop/builder
6 import ../lib/shop
7 import more
11 require late
`,
);

finds(
  "imports of paths that start from the file's folder",
  importLines,
  `
require File.expand_path("../../config/environment", __FILE__)
require File.join(File.dirname(__FILE__), "..", 'helper.rb')
require(File.dirname(__FILE__) + "/other") unless $other
require "#{__dir__}/near"
load File.join(File.expand_path(File.dirname(__FILE__)), "../tasks/run.rake")
require File.dirname(File.realpath(__FILE__)) + "/linked"
require File.join(__dir__, name)
require File.join(__dir__, "plugins", "#{name}")
require File.expand_path("inside", __FILE__)
require "#{ROOT}/not"
require find(__FILE__, "this")
`,
  `
1 import ../config/environment
2 import ../helper.rb
3 import other
4 import near
5 import ../tasks/run.rake
6 import linked
`,
);

finds(
  "uses of names",
  referenceLines,
  `
class A < B::C
  include Comparable, Mixins::Deep
  extend ::Global
  Failed = Class.new(Errors::Base)
  validates :name
  def f(item, *rest, key: DEFAULT)
    total = 0
    total
    item.price
    current_user
    save!
    puts "x"
    Cart::Line.new(item).store
    ::Root.new
    Shop.open 1, 2
    @store&.get(key)
    self.name = Name
    raise Shop::Failed, "x" unless item.is_a?(Deep::Kind)
    list.map { |each, (one, two)| each.run(one, two) }
    Shop::Tax.rate(Shop::RATE)
  rescue Broken, Net::Late => error
    error
  end
end
`,
  `
inherit B . C in A
implement Comparable in A
implement Mixins . Deep in A
implement . . Global in A
call Class in A.Failed
inherit Errors . Base in A.Failed
call validates in A
type DEFAULT in A.f
call item . price in A.f
call current_user in A.f
call save! in A.f
call Cart . Line in A.f
call Cart.Line.new(item) . store in A.f
call . . Root in A.f
type Shop in A.f
call Shop . open in A.f
call @store . get in A.f
call self . name in A.f
type Name in A.f
type Shop . Failed in A.f
call item . is_a? in A.f
type Deep . Kind in A.f
call list in A.f
call list . map in A.f
call each . run in A.f
type Shop . Tax in A.f
call Shop.Tax . rate in A.f
type Shop . RATE in A.f
type Broken in A.f
type Net . Late in A.f
`,
);

finds(
  "methods that a class names by symbols",
  referenceLines,
  `
class A
  before_action :load, :check, only: [:show], if: :ready?
  skip_after_commit :notify
  validate :named
  validates :email, presence: true, unless: "x"
  rescue_from Boom, with: :failed
  helper_method :current
  alias_method :old, :renamed
  delegate :title, to: :page
  render json: :none, with: other
  store.before_save :never
  def run
    send(:hidden, 1)
    list.map(&method(:each_one))
    item.send(:other)
  end
end
`,
  `
call before_action in A
call load in A
call check in A
call ready? in A
call skip_after_commit in A
call notify in A
call validate in A
call named in A
call validates in A
call rescue_from in A
type Boom in A
call failed in A
call helper_method in A
call current in A
call renamed in A.old
call delegate in A.title
call page in A.title
call render in A
call other in A
call store in A
call store . before_save in A
call send in A.run
call hidden in A.run
call list in A.run
call list . map in A.run
call method in A.run
call each_one in A.run
call item in A.run
call item . send in A.run
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
#!/usr/bin/env ruby
# encoding: utf-8
# One line
# and another.

x = 1 # trailing
# Documentation is no comment.
def f
  # rubocop:disable Metrics
  # TODO: do it
  1 # see #1234
end
`,
  `
1-1 general: /usr/bin/env ruby
2-2 general: encoding: utf-8
6-6 general: trailing
9-9 general in f: rubocop:disable Metrics
10-10 todo in f: TODO: do it
11-11 bug_ref in f: see #1234
`,
);

test("the file's documentation comes after magic comments", async () => {
  const { doc } = await factsOf("ruby", "# frozen_string_literal: true\n\n# About the file.\n\nrequire 'x'\n");
  expect(doc).toEqual({ content: "About the file.", format: "plain" });
});

finds(
  "templates: only text between the tags is Ruby",
  referenceLines,
  `
<h1 class="a"><%= title %></h1>
<%# def hidden; it's a comment %>
<% items.each do |item| -%>
  <li><%= link_to item.name, Paths.of(item) %> it's <b>here</b></li>
<% end %>
`,
  `
call title
call items
call items . each
call link_to
call item . name
type Paths
call Paths . of
`,
);

finds(
  "templates: what follows empty tags is where it is",
  referenceLines,
  `
<h1 class="a"><%=%></h1>
<p><%-%> 100 <%>, %></p>
<%= title %>
`,
  `
call title
`,
);

finds(
  "a template in a string hides nothing of a program in which the grammar meets an error",
  symbolLines,
  `
class Page
  def html
    "<p><%= name %></p>"
  end

  def log(text) = puts "page: #{text}"

  def last = 1
end
`,
  `
+class Page 1-9 class Page
+method Page.html 2-4 def html
+method Page.log 6-6 def log(text)
+method Page.last 8-8 def last
`,
);
