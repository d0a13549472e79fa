; Definitions of Kotlin.
;
; @symbol.<kind> is the definition, @name its name, @owner the type that an extension is for, @body what
; the signature leaves out. Where two patterns name the same place, the earlier one holds.
; A companion object without a name is no symbol: its members are reached through the class around it.

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

; An annotated class that has nothing but a name is read as the words of an expression.
((infix_expression
  . (identifier) @_modifier
  . (identifier) @_class
  . (identifier) @name .) @symbol.class
  (#any-of? @_modifier "annotation" "data" "open" "abstract" "sealed" "enum" "inner" "value" "internal" "private"
    "public" "expect" "actual" "companion")
  (#any-of? @_class "class" "object"))

((infix_expression
  . (identifier) @_modifier
  . (identifier) @_class
  . (identifier) @name .) @symbol.interface
  (#any-of? @_modifier "sealed" "internal" "private" "public" "expect" "actual")
  (#eq? @_class "interface"))

(annotated_expression (annotation) @decorator)

; The arguments of an annotation are sometimes read as what it annotates.
(annotated_expression (parenthesized_expression)) @decorator

; fun Foo.run(), in a class or outside of it
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

; Not the properties of an object without a name: they are local to where it stands.
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
