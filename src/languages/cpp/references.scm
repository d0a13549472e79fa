; Uses of names in C++: @reference.<kind> is the name with its prefix (`a::B<T>::run`), @qualifier the part before a
; dot or an arrow. If two patterns match one place, the first wins.

(base_class_clause [
  (type_identifier) @reference.inherit
  (template_type) @reference.inherit
  (qualified_identifier) @reference.inherit
])

(call_expression function: (field_expression
  argument: (_) @qualifier
  field: [
    (field_identifier) @reference.call
    (template_method) @reference.call
  ]))

(call_expression function: [
  (identifier) @reference.call
  (template_function) @reference.call
  (qualified_identifier) @reference.call
] (#not-match? @reference.call "^(?:static|dynamic|const|reinterpret)_cast"))

(new_expression type: [
  (type_identifier) @reference.call
  (template_type) @reference.call
  (qualified_identifier) @reference.call
])

; Name{...}
(compound_literal_expression type: [
  (type_identifier) @reference.call
  (template_type) @reference.call
  (qualified_identifier) @reference.call
])

; Functions as values, if this file defines them: run(callback), { "name", handler }, &handler
(argument_list (identifier) @reference.call (#set! of "definitions"))

(initializer_list (identifier) @reference.call (#set! of "definitions"))

(initializer_pair value: (identifier) @reference.call (#set! of "definitions"))

(pointer_expression argument: (identifier) @reference.call (#set! of "definitions"))

; a::Type, a::b::Type<...>
(qualified_identifier name: [(type_identifier) (template_type)]) @reference.type

; The parameters of a template are not types.
((type_identifier) @reference.type (#not-match? @reference.type "^[A-Z]$"))
