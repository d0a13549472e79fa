; Uses of names that JavaScript, TypeScript and TSX share: @reference.<kind> is the name, @qualifier the part before
; its last dot. If two patterns match one place, the first wins.

(decorator [
  (identifier) @reference.decorate
  (member_expression object: (_) @qualifier property: (_) @reference.decorate)
  (call_expression function: (identifier) @reference.decorate)
  (call_expression function: (member_expression object: (_) @qualifier property: (_) @reference.decorate))
])

((call_expression function: (identifier) @reference.call)
  (#set! of "others"))

(call_expression function: (member_expression object: (_) @qualifier property: (_) @reference.call))

(new_expression constructor: [
  (identifier) @reference.call
  (member_expression object: (_) @qualifier property: (_) @reference.call)
])

(variable_declarator name: (identifier) @local)
(variable_declarator
  name: (identifier) @local
  value: [
    (new_expression constructor: (_) @local.type)
    (call_expression function: (_) @local.call)
    (await_expression (call_expression function: (_) @local.call))
  ])
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
