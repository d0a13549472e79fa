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

; let style: Style = .plain, func draw(style: Style = .make())    `.none` of an optional is that of the optional itself.
; part typed
[(user_type) @qualifier (optional_type wrapped: (user_type) @qualifier)]
; end

; part dotted
[
  (prefix_expression "." target: (simple_identifier) @reference.call)
  (call_expression . (prefix_expression "." target: (simple_identifier) @reference.call))
]
; end

((property_declaration (type_annotation {typed}) . value: {dotted})
  (#not-eq? @reference.call "none"))

([
  (function_declaration (parameter {typed}) . default_value: {dotted})
  (init_declaration (parameter {typed}) . default_value: {dotted})
]
  (#not-eq? @reference.call "none"))

(constructor_expression
  constructed_type: (user_type (type_identifier) @reference.call . (type_arguments)? .) @qualifier)

; All types: A, A.B, A<B>
((user_type (type_identifier) @reference.type . (type_arguments)? .) @qualifier)

; Color.red: the type of a constant
((navigation_expression target: (simple_identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))

; Variables of functions. By convention, a call of a name with a capital makes one of that type. `if let` and `guard let` take the value
; out of an optional.
; part declared
[
  (user_type) @local.type
  (optional_type wrapped: (user_type) @local.type)
  (existential_type (user_type) @local.type)
  (opaque_type (user_type) @local.type)
]
; end

; part made
[
  (simple_identifier) @local.type @_made
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @_made)) @local.type
]
; end

; part result
[
  (simple_identifier) @local.call
  (navigation_expression) @local.call
]
; end

; part call(of)
[
  (call_expression . {{of}})
  (try_expression expr: (call_expression . {{of}}))
  (await_expression expr: (call_expression . {{of}}))
  (try_expression expr: (await_expression expr: (call_expression . {{of}})))
  (postfix_expression target: (call_expression . {{of}}) operation: (bang))
  (postfix_expression target: (try_expression expr: (call_expression . {{of}})) operation: (bang))
]
; end

; part other
[
  (constructor_expression constructed_type: (user_type) @local.type)
  (as_expression (user_type) @local.type)
]
; end

; part name
name: (pattern bound_identifier: (simple_identifier) @local)
; end

; part bound
bound_identifier: (simple_identifier) @local
; end

(pattern {bound})
(pattern (pattern . (simple_identifier) @local .))
(property_declaration {name} . (type_annotation {declared}))
((property_declaration {name} . value: {call(made)}) (#match? @_made "^[A-Z]"))
(property_declaration {name} . value: {call(result)})
(property_declaration {name} . value: {other})

(guard_statement {bound})
(guard_statement {bound} . (type_annotation {declared}))
((guard_statement {bound} . {call(made)}) (#match? @_made "^[A-Z]"))
(guard_statement {bound} . {call(result)})
(guard_statement {bound} . {other})

(if_statement {bound}) @local.in
(if_statement {bound} . (type_annotation {declared})) @local.in
((if_statement {bound} . {call(made)}) @local.in (#match? @_made "^[A-Z]"))
(if_statement {bound} . {call(result)}) @local.in
(if_statement {bound} . {other}) @local.in

(while_statement {bound}) @local.in
(while_statement {bound} . {call(result)}) @local.in

(for_statement item: (pattern {bound})) @local.in
(for_statement item: (pattern {bound}) . (type_annotation {declared})) @local.in

(lambda_literal type: (lambda_function_type (lambda_function_type_parameters
  (lambda_parameter name: (simple_identifier) @local)))) @local.in
(lambda_literal type: (lambda_function_type (lambda_function_type_parameters
  (lambda_parameter name: (simple_identifier) @local . {declared})))) @local.in
(lambda_literal captures: (capture_list (capture_list_item
  name: (simple_identifier) @local
  value: (_)))) @local.in
