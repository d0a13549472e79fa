; Uses of names in Scala: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins.

(annotation name: [
  (type_identifier) @reference.decorate
  (stable_type_identifier (_) @qualifier (type_identifier) @reference.decorate .)
  (generic_type type: (type_identifier) @reference.decorate)
])

; Classes and traits look the same here.
(extends_clause [
  (type_identifier) @reference.inherit
  (stable_type_identifier (_) @qualifier (type_identifier) @reference.inherit .)
  (generic_type type: (type_identifier) @reference.inherit)
  (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @reference.inherit .))
])

; new A(1)
(instance_expression [
  (type_identifier) @reference.call
  (stable_type_identifier (_) @qualifier (type_identifier) @reference.call .)
  (generic_type type: (type_identifier) @reference.call)
  (generic_type type: (stable_type_identifier (_) @qualifier (type_identifier) @reference.call .))
])

(call_expression function: (identifier) @reference.call)

(generic_function function: (identifier) @reference.call)

; a.b is a call if b has no parameters.
(field_expression
  value: (_) @qualifier
  field: (identifier) @reference.call)

; a foo b
(infix_expression
  left: (_) @qualifier
  operator: (identifier) @reference.call)

(stable_type_identifier
  (_) @qualifier
  (type_identifier) @reference.type .)

(type_identifier) @reference.type

; Variables of functions. By convention, a call of a name with a capital makes one of that type. What a variable of a pattern holds is known
; where its type is written.
; part declared
[
  (type_identifier) @local.type
  (stable_type_identifier) @local.type
  (generic_type type: (type_identifier) @local.type)
  (generic_type type: (stable_type_identifier) @local.type)
]
; end

; part made
[(identifier) @local.type @_made (field_expression field: (identifier) @_made) @local.type]
; end

; part result
[
  (instance_expression . {declared})
  (call_expression function: [(identifier) (field_expression)] @local.call)
  (call_expression function: (generic_function function: [(identifier) (field_expression)] @local.call))
  (field_expression) @local.call
]
; end

(val_definition pattern: (identifier) @local)
(var_definition pattern: (identifier) @local)
(val_definition pattern: (identifier) @local type: {declared})
(var_definition pattern: (identifier) @local type: {declared})
(val_definition pattern: (identifiers (identifier) @local))
(var_definition pattern: (identifiers (identifier) @local))

((val_definition pattern: (identifier) @local !type value: (call_expression function: {made}))
  (#match? @_made "^[A-Z]"))
((var_definition pattern: (identifier) @local !type value: (call_expression function: {made}))
  (#match? @_made "^[A-Z]"))
((val_definition
  pattern: (identifier) @local
  !type
  value: (call_expression function: (generic_function function: {made})))
  (#match? @_made "^[A-Z]"))

(val_definition pattern: (identifier) @local !type value: {result})
(var_definition pattern: (identifier) @local !type value: {result})

(tuple_pattern (identifier) @local)
(case_class_pattern pattern: (identifier) @local)
(infix_pattern (identifier) @local)
(capture_pattern name: (identifier) @local)
(typed_pattern pattern: (identifier) @local)

(case_clause pattern: [
  (identifier) @local
  (typed_pattern pattern: (identifier) @local type: {declared}?)
  (capture_pattern name: (identifier) @local)
  (tuple_pattern (identifier) @local)
  (case_class_pattern pattern: (identifier) @local)
]) @local.in

(for_expression (enumerators (enumerator . [
  (identifier) @local
  (tuple_pattern (identifier) @local)
]))) @local.in

((lambda_expression parameters: [
  (identifier) @local
  (bindings (binding name: (identifier) @local type: {declared}?))
]) @local.in
  (#set! given))
