import { checkEdges } from "./imports-check.ts";

checkEdges(
  "a module is found in the nearest folder, below its roots, and by the end of its path if that is the only one",
  `
//- app/lua/app/core.lua
require "app.util"
local util = require("app/util.text")
require("app.gone")
require("string")
require "plugin.deep"
require("plugin.twice")
require("only")
require(name)
//- app/lua/app/util/init.lua
return {}
//- app/lua/app/util/text.lua
local ok, core = pcall(require, "app.core")
//- app/lua/string.lua
//- app/spec/core_spec.lua
require("app.core")
require("spec.helpers")
require("app.util")
//- lua/app/core.lua
//- lua/app/util.lua
//- plugins/first/plugin/deep.lua
//- plugins/first/plugin/twice.lua
//- plugins/second/plugin/twice.lua
//- plugins/second/only.lua
//- spec/helpers.lua
`,
  `
app/lua/app/core.lua -> app/lua/app/util/init.lua
app/lua/app/core.lua -> app/lua/app/util/text.lua
app/lua/app/core.lua -> plugins/first/plugin/deep.lua
app/lua/app/util/text.lua -> app/lua/app/core.lua
app/spec/core_spec.lua -> app/lua/app/core.lua
app/spec/core_spec.lua -> app/lua/app/util/init.lua
app/spec/core_spec.lua -> spec/helpers.lua
`,
);
