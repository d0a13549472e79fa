; Uses of names in Lua: @reference.<kind> is the name, @qualifier the part before its last dot or colon, @local a variable of a function.
; If two patterns match one place, the first wins.

; part owner(kind)
[
  (identifier) @reference.{kind}
  (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference.{kind})
]
; end

; local B = A:extend(), local B = A.extend()
(assignment_statement
  (expression_list . value: (function_call name: [
    (method_index_expression table: {owner(inherit)} method: (identifier) @_extend)
    (dot_index_expression table: {owner(inherit)} field: (identifier) @_extend)
  ]))
  (#any-of? @_extend "extend" "extends" "subclass"))

; setmetatable(B, { __index = A })
(function_call
  name: (identifier) @_set
  arguments: (arguments (_) . (table_constructor (field name: (identifier) @_index value: {owner(inherit)})))
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))

; require("a.b").f(), require("a.b"):f()
(function_call
  name: [
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (_) @qualifier) .))
      field: (identifier) @reference.call)
    (method_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (_) @qualifier) .))
      method: (identifier) @reference.call)
  ]
  (#eq? @_require "require"))

; The functions of the language itself, also where a file has them in variables.
(function_call
  name: (identifier) @reference.none
  (#any-of? @reference.none
    "assert" "collectgarbage" "dofile" "error" "getfenv" "getmetatable" "ipairs" "load" "loadfile" "loadstring" "next" "pairs" "pcall"
    "print" "rawequal" "rawget" "rawlen" "rawset" "require" "select" "setfenv" "setmetatable" "tonumber" "tostring" "type" "unpack"
    "xpcall"))

((function_call name: (identifier) @reference.call)
  (#set! of "others"))

((function_call
  name: (dot_index_expression table: [(identifier) (dot_index_expression)] @qualifier field: (identifier) @reference.call))
  (#set! of "owners"))

(function_call
  name: (method_index_expression table: (_) @qualifier method: (identifier) @reference.call))

; run(f), run(M.f)
((arguments (identifier) @reference.call)
  (#set! of "definitions"))

((arguments (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference.call))
  (#set! of "owners"))

; { on_open = f, M.f }
((field value: (identifier) @reference.call)
  (#set! of "definitions"))

((field value: (dot_index_expression table: (identifier) @qualifier field: (identifier) @reference.call))
  (#set! of "owners"))

(variable_list name: (identifier) @local)
(variable_list (identifier) @local)
(for_numeric_clause name: (identifier) @local)
(parameters (identifier) @local)

; local cart = Cart.new()
(assignment_statement
  (variable_list . name: (identifier) @local .)
  (expression_list . value: (function_call name: (_) @local.call) .))
