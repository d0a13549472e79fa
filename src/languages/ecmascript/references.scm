; Uses of names that JavaScript, TypeScript and TSX share: @reference.<kind> is the name, @qualifier the part before
; its last dot. If two patterns match one place, the first wins.

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
