; Definitions of Lua.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits, @owner the table of a
; member. If two patterns match one place, the first wins.

; --- functions -------------------------------------------------------------------------------------

; function f() end, local function f() end
(function_declaration name: (identifier) @name body: (block)? @body) @symbol.function

; function M.f() end
(function_declaration
  name: (dot_index_expression table: (_) @owner field: (identifier) @name)
  body: (block)? @body) @symbol.function

; function M:f() end
(function_declaration
  name: (method_index_expression table: (_) @owner method: (identifier) @name)
  body: (block)? @body) @symbol.method

; local f = function() end
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_definition body: (block)? @body)))) @symbol.function

; f = function() end
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (block)? @body))) @symbol.function

; M.f = function() end
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition body: (block)? @body))) @symbol.function

; { f = function() end, ["g"] = function() end }
(field
  name: [(identifier) (string)] @name
  value: (function_definition body: (block)? @body)) @symbol.method

; --- variables of the file -------------------------------------------------------------------------

; The local name of a module is not a definition.
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list name: (identifier) @name)
      (expression_list . value: (_) @_value))) @symbol.variable
  (#not-match? @_value "^require\\b[^:]*$"))

(chunk
  (assignment_statement
    (variable_list name: (identifier) @name)
    (expression_list . value: (_) @_value)) @symbol.variable
  (#not-match? @_value "^require\\b[^:]*$"))

(chunk
  (assignment_statement
    (variable_list
      name: (dot_index_expression table: (identifier) @owner field: (identifier) @name))) @symbol.property)

; --- tests -----------------------------------------------------------------------------------------

; describe("title", function() end), it("title", function() end)
((function_call
  name: (identifier) @_function
  arguments: (arguments . (string) @name . (function_definition body: (block)? @body)))
  (#any-of? @_function "describe" "context" "insulate" "expose" "it" "spec" "test" "pending")) @symbol.function
