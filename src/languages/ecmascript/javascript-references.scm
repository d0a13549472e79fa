; Uses of names in JavaScript whose nodes have other names in the TypeScript grammars.

(class_heritage [
  (identifier) @reference.inherit
  (member_expression object: (_) @qualifier property: (_) @reference.inherit)
])

; util.inherits(A, B)
(call_expression
  function: (_) @_inherits
  arguments: (arguments . (identifier) @owner . (identifier) @reference.inherit .)
  (#any-of? @_inherits "util.inherits" "inherits"))

(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
