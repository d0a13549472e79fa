; Definitions of Python.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins.

(class_definition
  name: (identifier) @name
  body: (block) @body) @symbol.class

; A function directly in a class becomes a method because of its place.
(function_definition
  name: (identifier) @name
  body: (block) @body) @symbol.function

(decorator) @decorator

; type X[T] = ...
(type_alias_statement
  left: (type [
    (identifier) @name
    (generic_type (identifier) @name)
  ])) @symbol.type_alias

; X: TypeAlias = ...
(assignment
  left: (identifier) @name
  type: (type) @_type
  (#match? @_type "TypeAlias$")) @symbol.type_alias

; Assignments count unless they are local to a function; in a class they become properties.
(expression_statement
  (assignment left: (identifier) @name) @symbol.variable)

(expression_statement
  (assignment right: (assignment left: (identifier) @name)) @symbol.variable)

(expression_statement
  (assignment
    left: [
      (pattern_list (identifier) @name)
      (tuple_pattern (identifier) @name)
    ]) @symbol.variable)

; Documentation strings: @documented is the described definition, absent for the file's own.
(module . (comment)* . (expression_statement . (string) @doc))

(class_definition
  body: (block . (comment)* . (expression_statement . (string) @doc))) @documented

(function_definition
  body: (block . (comment)* . (expression_statement . (string) @doc))) @documented
