; Definitions of Scala, 2 and 3.
;
; @symbol.<kind> is the definition, @name its name, @owner the extended type, @body the part that its signature omits.
; If two patterns match one place, the first wins.

; part names
[
  (identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)
]
; end

; part values
[
  (val_definition pattern: {names})
  (var_definition pattern: {names})
  (val_declaration name: (identifier) @name)
  (var_declaration name: (identifier) @name)
]
; end

[
  (class_definition name: (_) @name body: (_)? @body)
  (object_definition name: (_) @name body: (_)? @body)
] @symbol.class

(trait_definition
  name: (_) @name
  body: (_)? @body) @symbol.interface

(enum_definition
  name: (_) @name
  body: (_) @body) @symbol.enum

(package_object
  name: (_) @name
  body: (_)? @body) @symbol.namespace

; given ordering: Ord[Int] with ..., which has members if it has a body
(given_definition
  name: (_) @name
  body: (with_template_body) @body) @symbol.class

(given_definition
  !name
  body: (with_template_body) @body
  (#set! name "given")) @symbol.class

(given_definition
  name: (_) @name) @symbol.variable

; extension (foo: Foo) def run = ...
(extension_definition
  (parameters (parameter type: (_) @owner))
  (function_definition
    name: (_) @name
    body: (_) @body) @symbol.function)

; Only a function directly in a class becomes a method because of its place, so those in traits and enums are listed.
[
  (trait_definition body: (template_body [
    (function_definition name: (_) @name body: (_)? @body)
    (function_declaration name: (_) @name)
  ] @symbol.method))
  (enum_definition body: (enum_body
    (function_definition name: (_) @name body: (_)? @body) @symbol.method))
]

(function_definition
  name: (_) @name
  body: (_)? @body) @symbol.function

(function_declaration
  name: (_) @name) @symbol.function

(type_definition
  name: (type_identifier) @name) @symbol.type_alias

[
  (simple_enum_case name: (_) @name)
  (full_enum_case name: (_) @name)
] @symbol.property

; case class A(b: Int), class A(val b: Int)
(class_definition
  "case"
  class_parameters: (class_parameters
    (class_parameter name: (identifier) @name) @symbol.property))

(class_parameter
  ["val" "var"]
  name: (identifier) @name) @symbol.property

; Values that are not local: not in blocks, and not in nameless classes.
[
  (class_definition body: (template_body {values} @symbol.property))
  (object_definition body: (template_body {values} @symbol.property))
  (trait_definition body: (template_body {values} @symbol.property))
  (enum_definition body: (enum_body {values} @symbol.property))
  (package_object body: (template_body {values} @symbol.variable))
  (package_clause body: (template_body {values} @symbol.variable))
]

(compilation_unit [
  (val_definition pattern: {names})
  (var_definition pattern: {names})
] @symbol.variable)

(annotation) @decorator
