; Uses of names in PHP: @reference.<kind> is the name, @qualifier the part before its last dot; or the whole of a name
; with namespaces (`\A\B`), which ends with the name. If two patterns match one place, the first wins.

; part name(kind)
[
  (name) @reference.{kind}
  (qualified_name (name) @reference.{kind}) @qualifier
]
; end

(attribute {name(decorate)})

(base_clause {name(inherit)})

(class_interface_clause {name(implement)})

; A trait inside a class.
(use_declaration {name(implement)})

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
(scoped_call_expression scope: {name(type)})

(class_constant_access_expression . {name(type)})

(scoped_property_access_expression scope: {name(type)})

(named_type {name(type)})

(binary_expression
  operator: "instanceof"
  right: {name(type)})

(assignment_expression left: (variable_name) @local)
(assignment_expression
  left: (variable_name) @local
  right: [
    (object_creation_expression [(name) (qualified_name)] @local.type)
    (function_call_expression function: [(name) (qualified_name)] @local.call)
    (scoped_call_expression arguments: (_) @local.arguments) @local.call
    (member_call_expression arguments: (_) @local.arguments) @local.call
  ])
(reference_assignment_expression left: (variable_name) @local)
(foreach_statement (variable_name) @local)
(foreach_statement (pair (variable_name) @local))
(list_literal (variable_name) @local)
(catch_clause name: (variable_name) @local)
(static_variable_declaration name: (variable_name) @local)
(global_declaration (variable_name) @local)
(anonymous_function parameters: (formal_parameters (simple_parameter name: (variable_name) @local))) @local.in
(arrow_function parameters: (formal_parameters (simple_parameter name: (variable_name) @local))) @local.in
(anonymous_function
  parameters: (formal_parameters (simple_parameter type: (named_type) @local.type name: (variable_name) @local))) @local.in
((comment) @local.doc
  (#match? @local.doc "@var\\s"))
