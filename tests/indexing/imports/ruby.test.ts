import { describe } from "bun:test";
import { checkEdges } from "./imports-check.ts";

describe("require_relative", () => {
  checkEdges(
    "is relative to the folder of the file, and does not leave the repository",
    `
//- lib/shop/cart.rb
require_relative "item"
require_relative "../shop"
require_relative "./tax.rb"
require_relative "../../../outside"
require_relative "shop/near"
//- lib/shop/item.rb
//- lib/shop/tax.rb
//- lib/shop.rb
//- outside.rb
//- shop/near.rb
`,
    `
lib/shop/cart.rb -> lib/shop.rb
lib/shop/cart.rb -> lib/shop/item.rb
lib/shop/cart.rb -> lib/shop/tax.rb
`,
  );
});

describe("require", () => {
  checkEdges(
    "searches lib, and for the project's own files also test and spec",
    `
//- shop.gemspec
//- lib/shop.rb
require "json"
require "shop/cart"
autoload :Item, "shop/item"
//- lib/shop/cart.rb
//- lib/shop/item.rb
//- test/test_helper.rb
require "shop"
//- test/cart_test.rb
require "test_helper"
require "support/world"
require "cart"
//- test/support/world.rb
//- spec/cart_spec.rb
require "spec_helper"
//- spec/spec_helper.rb
//- cart.rb
`,
    `
lib/shop.rb -> lib/shop/cart.rb
lib/shop.rb -> lib/shop/item.rb
spec/cart_spec.rb -> spec/spec_helper.rb
test/cart_test.rb -> test/support/world.rb
test/cart_test.rb -> test/test_helper.rb
test/test_helper.rb -> lib/shop.rb
`,
  );

  checkEdges(
    "searches lib and the folders that a gemspec names, and no others",
    `
//- a.gemspec
Gem::Specification.new do |s|
  s.require_paths = ["src", 'more']
end
//- src/one.rb
require "two"
require "three"
require "four"
//- more/two.rb
//- lib/three.rb
//- other/four.rb
//- words/b.gemspec
spec.require_paths = %w[code extra]
//- words/code/five.rb
require "six"
//- words/extra/six.rb
`,
    `
src/one.rb -> lib/three.rb
src/one.rb -> more/two.rb
words/code/five.rb -> words/extra/six.rb
`,
  );

  checkEdges(
    "searches the file's own project first, then the others without their tests",
    `
//- Gemfile
//- lib/shared.rb
//- core/core.gemspec
//- core/lib/core.rb
//- core/lib/shared.rb
//- core/test/helper.rb
//- web/web.gemspec
//- web/lib/web.rb
require "core"
require "shared"
require "helper"
//- core/lib/user.rb
require "shared"
`,
    `
core/lib/user.rb -> core/lib/shared.rb
web/lib/web.rb -> core/lib/core.rb
web/lib/web.rb -> lib/shared.rb
`,
  );

  checkEdges(
    "of a path with dots is relative to the project, or to __dir__ if written",
    `
//- app/Gemfile
//- app/bin/run.rb
require "./config/boot"
load "tasks/clean.rake"
require File.expand_path("../lib/app", __dir__)
require File.join(__dir__, "near")
//- app/bin/near.rb
//- app/config/boot.rb
//- app/lib/app.rb
//- app/tasks/clean.rake
`,
    `
app/bin/run.rb -> app/bin/near.rb
app/bin/run.rb -> app/config/boot.rb
app/bin/run.rb -> app/lib/app.rb
app/bin/run.rb -> app/tasks/clean.rake
`,
  );
});
