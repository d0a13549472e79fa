; Uses of names that JavaScript, TypeScript and TSX share: @reference.<kind> is the name, @qualifier what
; stands before its last dot. Where two patterns name the same place, the earlier one holds.

(decorator [
  (identifier) @reference.decorate
  (member_expression object: (_) @qualifier property: (_) @reference.decorate)
  (call_expression function: (identifier) @reference.decorate)
  (call_expression function: (member_expression object: (_) @qualifier property: (_) @reference.decorate))
])

(call_expression function: (identifier) @reference.call)

(call_expression function: (member_expression object: (_) @qualifier property: (_) @reference.call))

(new_expression constructor: [
  (identifier) @reference.call
  (member_expression object: (_) @qualifier property: (_) @reference.call)
])
