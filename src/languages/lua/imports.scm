; Imports of Lua, and what a module returns.
;
; One match binds one name: @import is the call, @specifier the module, @name the name there, @alias the name here. @export is a local of
; this file that its module gives, @export.as the name under which it does.

; part require
(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @specifier) .)) @import
; end

; local a = require "m", a = require("m")
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: {require})
  (#eq? @_require "require")
  (#set! name "*"))

; local a = require("m").b
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: (dot_index_expression
    table: {require}
    field: (identifier) @name))
  (#eq? @_require "require"))

; local ok, a = pcall(require, "m")
(assignment_statement
  (variable_list . name: (identifier) . name: (identifier) @alias)
  (expression_list . value: (function_call
    name: (identifier) @_call
    arguments: (arguments . (identifier) @_require . (string content: (_) @specifier) .)) @import)
  (#eq? @_call "pcall")
  (#eq? @_require "require")
  (#set! name "*"))

; return require("m")
(chunk (return_statement (expression_list . {require} .)
  (#eq? @_require "require")
  (#set! kind "require_reexport")
  (#set! star "true")))

({require} (#eq? @_require "require"))

; return M
(chunk (return_statement (expression_list . (identifier) @export .)
  (#set! as "default")))

; return setmetatable(M, { ... })
(chunk (return_statement (expression_list . (function_call
  name: (identifier) @_call
  arguments: (arguments . (identifier) @export . (table_constructor) .)) .)
  (#eq? @_call "setmetatable")
  (#set! as "default")))

; return { f = g }
(chunk (return_statement (expression_list . (table_constructor (field
  name: (identifier) @export.as
  value: (identifier) @export)) .)))

; M.f = g
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) field: (identifier) @export.as) .)
  (expression_list . value: (identifier) @export .)))
