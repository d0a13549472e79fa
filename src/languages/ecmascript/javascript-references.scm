; Uses of names in JavaScript whose nodes the TypeScript grammars name otherwise.

(class_heritage [
  (identifier) @reference.inherit
  (member_expression object: (_) @qualifier property: (_) @reference.inherit)
])
