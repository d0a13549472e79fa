; Uses of names in Java: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match
; one place, the first wins.

; part type(kind)
[
  (type_identifier) @reference.{kind}
  (scoped_type_identifier . (_) @qualifier (type_identifier) @reference.{kind} .)
  (generic_type . (type_identifier) @reference.{kind})
  (generic_type . (scoped_type_identifier . (_) @qualifier (type_identifier) @reference.{kind} .))
]
; end

[
  (annotation name: [
    (identifier) @reference.decorate
    (scoped_identifier scope: (_) @qualifier name: (identifier) @reference.decorate)
  ])
  (marker_annotation name: [
    (identifier) @reference.decorate
    (scoped_identifier scope: (_) @qualifier name: (identifier) @reference.decorate)
  ])
]

; class A extends B<T>, interface A extends pkg.B
(superclass {type(inherit)})

(extends_interfaces (type_list {type(inherit)}))

(super_interfaces (type_list {type(implement)}))

; new A<>(), new pkg.A(), outer.new A()
(object_creation_expression type: {type(call)})

; ((Cart) item).open()
(method_invocation
  object: (parenthesized_expression (cast_expression type: (_) @qualifier.type))
  name: (identifier) @reference.call)

(method_invocation
  object: (_) @qualifier
  name: (identifier) @reference.call)

(method_invocation
  !object
  name: (identifier) @reference.call)

; a::b, A::new
(method_reference
  . (_) @qualifier
  "::"
  (identifier) @reference.call .)

(method_reference
  . (identifier) @reference.call
  "::"
  "new")

; All other uses of types: parameters, fields, casts, bounds, throws, class literals.
(scoped_type_identifier
  . (_) @qualifier
  (type_identifier) @reference.type .)

; By convention, `var` and the packages of a qualified type are in lower case.
((type_identifier) @reference.type
  (#not-match? @reference.type "^[a-z_]+$"))

(record_pattern . (identifier) @reference.type)

; Outer.FIELD: by convention, types start with a capital.
((field_access object: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))

(local_variable_declaration type: (_) @local.type declarator: (variable_declarator name: (identifier) @local))

(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @local
    value: [
      (object_creation_expression type: (_) @local.type)
      (cast_expression type: (_) @local.type)
      (method_invocation arguments: (_) @local.arguments) @local.call
    ])
  (#eq? @_var "var"))

(resource
  type: (type_identifier) @_var
  name: (identifier) @local
  value: [
    (object_creation_expression type: (_) @local.type)
    (method_invocation arguments: (_) @local.arguments) @local.call
  ]
  (#eq? @_var "var"))

(enhanced_for_statement type: (_) @local.type name: (identifier) @local)
(resource type: (_) @local.type name: (identifier) @local)
(instanceof_expression right: (_) @local.type name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
((lambda_expression parameters: [
  (identifier) @local
  (inferred_parameters (identifier) @local)
  (formal_parameters (formal_parameter type: (_) @local.type name: (identifier) @local))
]) @local.in
  (#set! given))
