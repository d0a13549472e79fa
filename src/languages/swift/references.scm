; Uses of names in Swift: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins. A qualifier that contains the name ends before it.

(import_declaration (modifiers (attribute (user_type (type_identifier) @reference.none))))

; Built-in attributes are in lower case.
((attribute (user_type (type_identifier) @reference.decorate . (type_arguments)? .))
  (#match? @reference.decorate "^[A-Z]"))

(attribute (user_type . (type_identifier) @reference.none))

; The inherited types of a value type or an extension are protocols; a class can name its superclass.
(class_declaration
  declaration_kind: ["struct" "enum" "actor"]
  (inheritance_specifier
    inherits_from: (user_type (type_identifier) @reference.implement . (type_arguments)? .) @qualifier))

(class_declaration
  "extension"
  name: (_) @owner
  (inheritance_specifier
    inherits_from: (user_type (type_identifier) @reference.implement . (type_arguments)? .) @qualifier))

(inheritance_specifier
  inherits_from: (user_type (type_identifier) @reference.inherit . (type_arguments)? .) @qualifier)

(call_expression . (simple_identifier) @reference.call)

(call_expression
  .
  (navigation_expression
    target: (_) @qualifier
    suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))

(constructor_expression
  constructed_type: (user_type (type_identifier) @reference.call . (type_arguments)? .) @qualifier)

; All types: A, A.B, A<B>
((user_type (type_identifier) @reference.type . (type_arguments)? .) @qualifier)

; Color.red: the type of a constant
((navigation_expression target: (simple_identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))
