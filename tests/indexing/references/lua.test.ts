import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Lua", () => {
  check(
    "functions of the file, of modules, of what modules return, and methods of the own table",
    `
//- lua/shop/cart.lua
local Item = require("shop.item")
local log, other = require "shop.log", 1
local round = require("shop.sums").round
local ok, late = pcall(require, "shop.late")
local M = {}
M.__index = M

local function check(cart)
  return type(cart)
end

function M.new(log)
  log.note("hidden by the parameter")
  return setmetatable({}, M)
end

function M:total(items)
  check(self)
  self:sum(items)
  self.sum(items)
  log.note("total")
  round(1)
  late.run(check)
  require("shop.text").label(items)
  require("shop.text").missing(items)
  Item.open()
  Item:pay()
  string.note("x")
  local inner = function() return M.new() end
  return inner()
end

function M.sum(items)
  local check = items.check
  check()
  items:pay_later()
  items.pay_later()
end

return M
//- lua/shop/item.lua
local Item = {}
local pay = function(self) end
local function hidden() end
function Item.open() hidden() end
function Item:pay_later() Item.open() end
Item.pay = pay
return setmetatable(Item, { __call = function() end })
//- lua/shop/log.lua
local function note(text) end
return { note = note, warn = function() note() end }
//- lua/shop/sums/init.lua
local sums = {}
sums.round = function(x) end
return sums
//- lua/shop/late.lua
return require("shop.later")
//- lua/shop/later.lua
local later = {}
function later.run(f) end
return later
//- lua/shop/text.lua
local M = {}
local function missing() end
function M.label() end
return M
//- spec/cart_spec.lua
local Cart = require("shop.cart")
describe("cart", function() Cart.new():total() end)
local function run() Cart.new() end
`,
    `
lua/shop/cart:M.new -> lua/shop/cart:M call 1
lua/shop/cart:M.sum -> lua/shop/item:Item.pay_later call 0.5
lua/shop/cart:M.total -> lua/shop/cart:M.sum call 0.95
lua/shop/cart:M.total -> lua/shop/cart:M.total.inner call 1
lua/shop/cart:M.total -> lua/shop/cart:check call 1
lua/shop/cart:M.total -> lua/shop/item:Item.open call 0.9
lua/shop/cart:M.total -> lua/shop/item:pay call 0.9
lua/shop/cart:M.total -> lua/shop/later:later.run call 0.9
lua/shop/cart:M.total -> lua/shop/log:note call 0.9
lua/shop/cart:M.total -> lua/shop/sums/init:sums.round call 0.9
lua/shop/cart:M.total -> lua/shop/text:M.label call 0.9
lua/shop/cart:M.total.inner -> lua/shop/cart:M.new call 0.8
lua/shop/item:Item.open -> lua/shop/item:hidden call 1
lua/shop/item:Item.pay_later -> lua/shop/item:Item.open call 0.8
lua/shop/log:warn -> lua/shop/log:note call 1
spec/cart_spec:cart -> lua/shop/cart:M.new call 0.9
spec/cart_spec:cart -> lua/shop/cart:M.total call 0.7
spec/cart_spec:run -> lua/shop/cart:M.new call 0.9
`,
  );

  check(
    "bases of tables, and nothing of what only another module has under a name",
    `
//- src/animal.lua
local Animal = Class:extend()
local Dog = Animal:extend()
local Cat = {}
setmetatable(Cat, { __index = Animal })
function Animal:speak_up() end
function Dog:run() self:speak_up() end
return { Dog = Dog, open = Animal.open }
//- src/zoo.lua
local animal = require "animal"
local string = require "string"
local function open(animal)
  animal.speak_up()
  string.run()
end
function visit()
  animal.speak_up()
  string.run()
  visitors(open)
end
//- src/string.lua
local M = {}
function M.run() end
return M
//- other/visitors.lua
local function visitors() end
function run_all() visit() end
`,
    `
src/animal:Dog -> src/animal:Animal inherit 1
src/animal:Dog.run -> src/animal:Animal.speak_up call 0.9
src/zoo:visit -> src/zoo:open call 1
`,
  );

  check(
    "what new makes has the methods of its table",
    `
//- cart.lua
local Cart = {}
function Cart:new() return setmetatable({}, self) end
function Cart:add() end
return Cart
//- carts.lua
local M = {}
local Cart = require("cart")
function M.new() return Cart:new() end
function M.add(cart) end
return M
//- use.lua
local Cart = require("cart")
local carts = require("carts")
local function run()
  local cart = Cart:new()
  cart:add()
  Cart:new():add()
  local other = carts.new()
  other:add()
end
`,
    `
carts:M.new -> cart:Cart.new call 0.9
use:run -> cart:Cart.add call 0.7
use:run -> cart:Cart.new call 0.9
use:run -> carts:M.new call 0.9
`,
  );
});
