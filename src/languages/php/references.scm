; Uses of names in PHP: @reference.<kind> is the name, @qualifier the part before its last dot; or the whole of a name
; with namespaces (`\A\B`), which ends with the name. If two patterns match one place, the first wins.

(attribute [
  (name) @reference.decorate
  (qualified_name (name) @reference.decorate) @qualifier
])

(base_clause [
  (name) @reference.inherit
  (qualified_name (name) @reference.inherit) @qualifier
])

(class_interface_clause [
  (name) @reference.implement
  (qualified_name (name) @reference.implement) @qualifier
])

; A trait inside a class.
(use_declaration [
  (name) @reference.implement
  (qualified_name (name) @reference.implement) @qualifier
])

; Keywords for the class itself.
([
  (named_type (name) @reference.none)
  (object_creation_expression (name) @reference.none)
  (binary_expression operator: "instanceof" right: (name) @reference.none)
  (class_constant_access_expression . (name) @reference.none)
]
  (#any-of? @reference.none "self" "static" "parent"))

(object_creation_expression [
  (name) @reference.call
  (qualified_name (name) @reference.call) @qualifier
  (relative_name (name) @reference.call)
])

(function_call_expression function: [
  (name) @reference.call
  (qualified_name (name) @reference.call) @qualifier
  (relative_name (name) @reference.call)
])

(member_call_expression object: (_) @qualifier name: (name) @reference.call)

(nullsafe_member_call_expression object: (_) @qualifier name: (name) @reference.call)

(scoped_call_expression scope: (_) @qualifier name: (name) @reference.call)

; Foo::bar(), Foo::BAR, Foo::$bar also use the class.
(scoped_call_expression scope: [
  (name) @reference.type
  (qualified_name (name) @reference.type) @qualifier
])

(class_constant_access_expression . [
  (name) @reference.type
  (qualified_name (name) @reference.type) @qualifier
])

(scoped_property_access_expression scope: [
  (name) @reference.type
  (qualified_name (name) @reference.type) @qualifier
])

(named_type [
  (name) @reference.type
  (qualified_name (name) @reference.type) @qualifier
])

(binary_expression
  operator: "instanceof"
  right: [
    (name) @reference.type
    (qualified_name (name) @reference.type) @qualifier
  ])
