/** What is found in Lua: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `#!/usr/bin/env lua
--- The module.
-- more
local M = {}
local a, b = 1, 2
Global = 3
M.field = 4
--- Adds.
-- @param x y
function M.add(x, y) return x + y end
function M:meth() local function inner() end return inner end
local function priv() end
function plain() end
M.assigned = function(a) end
local lf = function() end
gf = function() end
M.sub.deep = function() end
function M.sub.deeper() end
local T = { f = function(self) end, ["g"] = function() end, key = 1, nested = { h = function() end } }
--[[ block
]]
--[==[ long ]==]
return { run = function() end, x = M }
-- luacheck: ignore
local http = require("http")
function M.sub.run() end
--[[- Block documentation.
Two lines.
]]
function M._hidden() end
`;
  const expected = `
-variable M 2/4-4 local M = {} «plain: The module.⏎more»
-variable a 5-5 local a, b = 1, 2
-variable b 5-5 local a, b = 1, 2
+variable Global 6-6 Global = 3
+property M.field 7-7 M.field = 4
+function M.add 8/10-10 function M.add(x, y) «plain: Adds.⏎@param x y»
+method M.meth 11-11 function M:meth()
-function M.meth.inner 11-11 local function inner() end
-function priv 12-12 local function priv() end
+function plain 13-13 function plain() end
+function M.assigned 14-14 M.assigned = function(a) end
-function lf 15-15 local lf = function() end
+function gf 16-16 gf = function() end
+function M.sub.deep 17-17 M.sub.deep = function() end
+function M.sub.deeper 18-18 function M.sub.deeper() end
-variable T 19-19 local T = { f = function(self) end, ["g"] = function() end, key = 1, nested = { h = function() end } }
-method T.f 19-19 f = function(self) end
-method T.g 19-19 ["g"] = function() end
-method T.h 19-19 h = function() end
+method run 23-23 run = function() end
+function M.sub.run 26-26 function M.sub.run() end
-function M._hidden 27/30-30 function M._hidden() end «plain: Block documentation.⏎Two lines.»
`;
  expect(await symbolLines("lua", source)).toEqual(expected.trim().split("\n"));
});

test("block comments are separate blocks, and directives are not documentation", async () => {
  const source = `--[[ one ]]
--[==[ two ]==]
-- luacheck: ignore
local a = 1
`;
  expect(await commentLines("lua", source)).toEqual([
    "1-1 general in a: one",
    "2-2 general in a: two",
    "3-3 general in a: luacheck: ignore",
  ]);
});

test("what is made of a module is a definition, and so are tests", async () => {
  const source = `local base = require("base")
local Sub = require("base"):extend()
local new = require("base").new
describe("sub", function()
  it("runs", function() Sub.run() end)
end)
it("has no function")
return Sub
`;
  const expected = `
+variable Sub 2-2 local Sub = require("base"):extend()
-function sub 4-6 describe("sub", function()
-function sub.runs 5-5 it("runs", function()
`;
  expect(`\n${(await symbolLines("lua", source)).join("\n")}\n`).toBe(expected);
});
