; Uses of names in Kotlin: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins.

(annotation [
  (user_type (identifier) @reference.decorate .)
  (constructor_invocation (user_type (identifier) @reference.decorate .))
])

; The types that an interface extends. A class calls the constructor of the class that it extends.
(class_declaration
  "interface"
  (delegation_specifiers (delegation_specifier
    (user_type . (identifier) @reference.inherit . (type_arguments)? .))))

(delegation_specifier
  (constructor_invocation [
    (user_type . (identifier) @reference.inherit . (type_arguments)? .)
    (user_type (identifier) @qualifier . (identifier) @reference.inherit . (type_arguments)? .)
  ]))

(delegation_specifier [
  (user_type . (identifier) @reference.implement . (type_arguments)? .)
  (user_type (identifier) @qualifier . (identifier) @reference.implement . (type_arguments)? .)
])

(explicit_delegation
  (user_type . (identifier) @reference.implement . (type_arguments)? .))

(call_expression . (identifier) @reference.call)

(call_expression
  . (navigation_expression
    . (_) @qualifier
    (identifier) @reference.call .))

; a to b
((infix_expression
  (_) . (identifier) @reference.call . (_))
  (#not-any-of? @reference.call "class" "interface" "object"))

; A::b, ::b
(navigation_expression
  . (_) @qualifier
  "::"
  (identifier) @reference.call .
  (#not-eq? @reference.call "class"))

(callable_reference
  "::"
  (identifier) @reference.call .)

; Types. By convention, the packages of a qualified type are in lower case.
(user_type
  (identifier) @qualifier
  . (identifier) @reference.type)

((user_type . (identifier) @reference.type)
  (#not-match? @reference.type "^[a-z_]+$"))

; Outer.FIELD, Outer::class: by convention, types start with a capital.
((navigation_expression . (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))

; Variables of functions. By convention, a call of a name with a capital makes one of that type. `apply` and `also` give what they are called
; on. A variable with a type that has no members to be found, as of a function, is read no further.
; part declared
[(user_type) @local.type (nullable_type (user_type) @local.type)]
; end

; part made
(call_expression . [
  (identifier) @local.type @_made
  (navigation_expression (identifier) @_made .) @local.type
])
; end

; part result
[
  (call_expression . (_) @local.call)
  (unary_expression argument: (call_expression . (_) @local.call) "!!")
  (binary_expression
    left: (call_expression . (_) @local.call)
    "?:"
    right: [(return_expression) (throw_expression)])
]
; end

(property_declaration (variable_declaration . (identifier) @local))
(property_declaration (multi_variable_declaration (variable_declaration . (identifier) @local)))
(property_declaration (variable_declaration . (identifier) @local {declared}))

((property_declaration (variable_declaration . (identifier) @local .) . {made})
  (#match? @_made "^[A-Z]"))

((property_declaration
  (variable_declaration . (identifier) @local .)
  . (call_expression . (navigation_expression . {made} (identifier) @_same .)))
  (#match? @_made "^[A-Z]")
  (#any-of? @_same "apply" "also"))

(property_declaration (variable_declaration . (identifier) @local .) . {result})

(property_declaration
  (variable_declaration . (identifier) @local .)
  . (as_expression right: {declared}))

(when_subject (variable_declaration . (identifier) @local))
(when_subject (variable_declaration . (identifier) @local .) . {result})

(for_statement (variable_declaration . (identifier) @local {declared}?)) @local.in
(for_statement (multi_variable_declaration (variable_declaration . (identifier) @local))) @local.in

(catch_block . (identifier) @local {declared}) @local.in

((lambda_literal (lambda_parameters (variable_declaration . (identifier) @local {declared}?))) @local.in
  (#set! given))
((lambda_literal) @local.in
  (#set! implicit "it"))
(lambda_literal
  (lambda_parameters (multi_variable_declaration (variable_declaration . (identifier) @local)))) @local.in

(anonymous_function
  (function_value_parameters (parameter . (identifier) @local {declared}?))) @local.in
