; Definitions of Java.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. Annotations are inside
; the definition, at its start.

[
  (class_declaration name: (identifier) @name body: (_) @body)
  (record_declaration name: (identifier) @name body: (_) @body)
] @symbol.class

[
  (interface_declaration name: (identifier) @name body: (_) @body)
  (annotation_type_declaration name: (identifier) @name body: (_) @body)
] @symbol.interface

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @symbol.enum

; The body is optional: abstract, native, or in an interface.
(method_declaration
  name: (identifier) @name
  body: (_)? @body) @symbol.method

[
  (constructor_declaration name: (identifier) @name body: (_) @body)
  (compact_constructor_declaration name: (identifier) @name body: (_) @body)
  (annotation_type_element_declaration name: (identifier) @name)
] @symbol.method

; Fields of nameless classes are local and do not count.
(class_declaration
  body: (class_body
    (field_declaration
      declarator: (variable_declarator name: (identifier) @name)) @symbol.property))

(record_declaration
  body: (class_body
    (field_declaration
      declarator: (variable_declarator name: (identifier) @name)) @symbol.property))

(enum_body_declarations
  (field_declaration
    declarator: (variable_declarator name: (identifier) @name)) @symbol.property)

(constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @symbol.property

(enum_constant
  name: (identifier) @name
  body: (_)? @body) @symbol.property

; record Point(int x, int y), whose accessors are public
((record_declaration
  parameters: (formal_parameters [
    (formal_parameter name: (identifier) @name)
    (spread_parameter (variable_declarator name: (identifier) @name))
  ] @symbol.property))
  (#set! public "true"))

(modifiers [(annotation) (marker_annotation)] @decorator)
