; Definitions of Swift.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits, @owner the extended type.
; If two patterns match one place, the first wins. Attributes are inside the definition, at its start.

; part function
(function_declaration
  name: [
    (simple_identifier) (custom_operator) (bang)
    "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "===" "!=" "!==" "+=" "-=" "*=" "/=" "%=" "++" "--" "|" "^" "<<"
    ">>" "~" "&"
  ] @name
  body: (_)? @body)
; end

; part property
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body)
; end

(modifiers (attribute) @decorator)

; --- extensions: members of a type that is defined elsewhere -----------------------------------

(class_declaration
  "extension"
  name: (_) @owner
  body: (class_body [
    {function}
    (init_declaration "init" @name body: (_)? @body)
  ] @symbol.method))

(class_declaration
  "extension"
  name: (_) @owner
  body: (class_body [
    {property}
    (subscript_declaration "subscript" @name (computed_property)? @body)
  ] @symbol.property))

(class_declaration
  "extension"
  name: (_) @owner
  body: (class_body
    (class_declaration
      declaration_kind: ["class" "struct" "actor"]
      name: (type_identifier) @name
      body: (_) @body) @symbol.class))

(class_declaration
  "extension"
  name: (_) @owner
  body: (class_body
    (class_declaration
      declaration_kind: "enum"
      name: (type_identifier) @name
      body: (_) @body) @symbol.enum))

(class_declaration
  "extension"
  name: (_) @owner
  body: (class_body
    (typealias_declaration name: (type_identifier) @name) @symbol.type_alias))

; --- types -------------------------------------------------------------------------------------------

(class_declaration
  declaration_kind: ["class" "struct" "actor"]
  name: (type_identifier) @name
  body: (_) @body) @symbol.class

(class_declaration
  declaration_kind: "enum"
  name: (type_identifier) @name
  body: (_) @body) @symbol.enum

(protocol_declaration
  name: (type_identifier) @name
  body: (_) @body) @symbol.interface

[
  (typealias_declaration name: (type_identifier) @name)
  (associatedtype_declaration name: (type_identifier) @name)
] @symbol.type_alias

; --- members and functions ---------------------------------------------------------------------------

; A function in an enum is not a method because of its place alone, unlike in a class.
(enum_class_body {function} @symbol.method)

{function} @symbol.function

[
  (init_declaration "init" @name body: (_)? @body)
  (deinit_declaration "deinit" @name body: (_)? @body)
  (protocol_function_declaration name: (simple_identifier) @name body: (_)? @body)
] @symbol.method

([
  (class_body {property} @symbol.property)
  (enum_class_body {property} @symbol.property)
  (protocol_property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)
    (protocol_property_requirements) @body) @symbol.property
  (subscript_declaration "subscript" @name (computed_property)? @body) @symbol.property
])

(source_file {property} @symbol.variable)

(enum_entry name: (simple_identifier) @name) @symbol.property

(macro_declaration "macro" . (simple_identifier) @name definition: (_)? @body) @symbol.function

(operator_declaration [(custom_operator) (bang)] @name) @symbol.variable
