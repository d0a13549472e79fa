; Uses of names in C#: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match
; one place, the first wins.

; part name(kind)
[
  (identifier) @reference.{kind}
  (generic_name . (identifier) @reference.{kind})
]
; end

; part base(kind)
[
  (identifier) @reference.{kind}
  (generic_name . (identifier) @reference.{kind})
  (qualified_name qualifier: (_) @qualifier name: {name({kind})})
]
; end

; part type
[
  (identifier) @reference.type
  (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.type)
]
; end

(attribute name: {base(decorate)})

; class A : Base, IFace, B.C<T> By universal convention, interfaces start with an I and a capital.
((base_list {base(implement)})
  (#match? @reference.implement "^I[A-Z]"))

(base_list [
  (identifier) @reference.inherit
  (generic_name . (identifier) @reference.inherit)
  (qualified_name qualifier: (_) @qualifier name: {name(inherit)})
  (primary_constructor_base_type type: {base(inherit)})
])

; nameof(A) is not a call, but a use of A
(invocation_expression
  function: (identifier) @_function
  arguments: (argument_list . (argument (identifier) @reference.type))
  (#eq? @_function "nameof"))

; part cast
(parenthesized_expression [
  (cast_expression type: (_) @qualifier.type)
  (as_expression right: (_) @qualifier.type)
])
; end

; ((Cart)item).Open(), (item as Cart)?.Open()
(invocation_expression function: (member_access_expression expression: {cast} name: {name(call)}))

(invocation_expression function: (conditional_access_expression
  condition: {cast}
  (member_binding_expression name: {name(call)})))

(invocation_expression function: [
  (identifier) @reference.call
  (generic_name . (identifier) @reference.call)
  (member_access_expression expression: _ @qualifier name: {name(call)})
  (conditional_access_expression
    condition: _ @qualifier
    (member_binding_expression name: {name(call)}))
]
  (#not-eq? @reference.call "nameof"))

(object_creation_expression type: {base(call)})

; Types of fields, parameters, patterns, casts, catch, typeof, constraints ...
(_ type: {type})

(_ returns: {type})

(type_argument_list {type})

(as_expression right: {type})

(is_expression right: {type})

; IFace.Method() { }
(explicit_interface_specifier (identifier) @reference.type)

(qualified_name qualifier: (_) @qualifier name: (generic_name . (identifier) @reference.type))

(generic_name . (identifier) @reference.type)

; Color.Red, Limits.Max: the type of a constant
((member_access_expression expression: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))

(variable_declaration type: (_) @local.type (variable_declarator name: (identifier) @local))

(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @local
    [
      (invocation_expression function: (_) @local.call)
      (object_creation_expression type: (_) @local.type)
      (cast_expression type: (_) @local.type)
      (as_expression right: (_) @local.type)
    ]))

; var cart = OpenAsync().Result;
(variable_declaration
  type: (implicit_type)
  (variable_declarator name: (identifier) @local (member_access_expression) @local.value))

; var cart = await OpenAsync();
(variable_declaration
  type: (implicit_type)
  (variable_declarator name: (identifier) @local (await_expression (_) @local.value))
  (#set! then ".await"))

(foreach_statement type: (_) @local.type left: (identifier) @local)
(declaration_pattern type: (_) @local.type name: (identifier) @local)
(declaration_expression type: (_) @local.type name: (identifier) @local)
(catch_declaration name: (identifier) @local)
((lambda_expression parameters: [
  (implicit_parameter) @local
  (parameter_list (parameter name: (identifier) @local))
  (parameter_list (parameter type: (_) @local.type name: (identifier) @local))
]) @local.in
  (#set! given))
