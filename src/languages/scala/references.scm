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
