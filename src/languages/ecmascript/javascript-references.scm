; Uses of names in JavaScript whose nodes have other names in the TypeScript grammars.

(class_heritage [
  (identifier) @reference.inherit
  (member_expression object: (_) @qualifier property: (_) @reference.inherit)
])
