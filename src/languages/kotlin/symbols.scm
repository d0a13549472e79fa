; Definitions of Kotlin.
;
; @symbol.<kind> is the definition, @name its name, @owner the extended type, @body the part that its signature omits.
; If two patterns match one place, the first wins. A nameless companion object is not a symbol: its members are
; accessed through the class around it.

(class_declaration
  "interface"
  name: (identifier) @name
  (class_body)? @body) @symbol.interface

(class_declaration
  (modifiers (class_modifier "enum"))
  name: (identifier) @name
  (enum_class_body)? @body) @symbol.enum

[
  (class_declaration "class" name: (identifier) @name (class_body)? @body)
  (object_declaration name: (identifier) @name (class_body)? @body)
  (companion_object name: (identifier) @name (class_body)? @body)
] @symbol.class

; Behind two annotations the grammar parses a class or interface as an expression, with its body as the last operand.
; part members
[
  (function_declaration name: (_) @name (function_body)? @body) @symbol.method
  (property_declaration (variable_declaration (identifier) @name) [(getter) (setter)]? @body) @symbol.property
]
; end

((infix_expression . (identifier) @_class . (identifier) @name . (lambda_literal) @body .) @symbol.class
  (#eq? @_class "class"))

((infix_expression . (identifier) @_class . (identifier) @name . (lambda_literal) @body .) @symbol.interface
  (#eq? @_class "interface"))

((infix_expression . (identifier) @_class . (identifier) . (lambda_literal {members}))
  (#any-of? @_class "class" "interface"))

(annotated_expression (annotation) @decorator)

; The grammar sometimes parses the arguments of an annotation as the annotated expression.
(annotated_expression (parenthesized_expression)) @decorator

; fun Foo.run(), inside or outside of a class
(class_body
  (function_declaration
    [(user_type) (nullable_type) (parenthesized_type)] @owner
    . "." .
    name: (_) @name
    (function_body)? @body) @symbol.method)

(function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  . "." .
  name: (_) @name
  (function_body)? @body) @symbol.function

[
  (class_body (function_declaration name: (_) @name (function_body)? @body) @symbol.method)
  (enum_class_body (function_declaration name: (_) @name (function_body)? @body) @symbol.method)
]

(function_declaration
  name: (_) @name
  (function_body)? @body) @symbol.function

(secondary_constructor
  "constructor" @name
  (block)? @body) @symbol.method

(type_alias type: (identifier) @name) @symbol.type_alias

; val Foo.size
(property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  . "." .
  (variable_declaration (identifier) @name)
  [(getter) (setter)]? @body) @symbol.variable

(source_file
  (property_declaration [
    (variable_declaration (identifier) @name)
    (multi_variable_declaration (variable_declaration (identifier) @name))
  ]
  [(getter) (setter)]? @body) @symbol.variable)

; Properties of nameless objects are local and do not count.
[
  (class_declaration (class_body (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (setter)]? @body) @symbol.property))
  (class_declaration (enum_class_body (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (setter)]? @body) @symbol.property))
  (object_declaration (class_body (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (setter)]? @body) @symbol.property))
  (companion_object (class_body (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (setter)]? @body) @symbol.property))
]

; class A(val b: Int)
(class_parameter
  ["val" "var"]
  . (identifier) @name) @symbol.property

(enum_entry
  (identifier) @name
  (class_body)? @body) @symbol.property

(modifiers (annotation) @decorator)
