; Uses of names that only TypeScript and TSX have.

(extends_clause value: [
  (identifier) @reference.inherit
  (member_expression object: (_) @qualifier property: (_) @reference.inherit)
])

(extends_type_clause [
  (type_identifier) @reference.inherit
  (nested_type_identifier module: (_) @qualifier name: (_) @reference.inherit)
  (generic_type name: (type_identifier) @reference.inherit)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (_) @reference.inherit))
])

(implements_clause [
  (type_identifier) @reference.implement
  (nested_type_identifier module: (_) @qualifier name: (_) @reference.implement)
  (generic_type name: (type_identifier) @reference.implement)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (_) @reference.implement))
])

(nested_type_identifier module: (_) @qualifier name: (_) @reference.type)

(type_query [
  (identifier) @reference.type
  (member_expression object: (_) @qualifier property: (_) @reference.type)
])

; import A = ns.B, import A = B
(import_alias [
  (nested_identifier object: (_) @qualifier property: (_) @reference.type)
  (identifier) @reference.type
] .)

(type_identifier) @reference.type

(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(variable_declarator name: (identifier) @local type: (type_annotation (_) @local.type))
