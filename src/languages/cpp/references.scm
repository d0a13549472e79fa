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

; --- variables of functions -------------------------------------------------------------------------

; part named
[
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
]
; end

; part declared
[
  (identifier) @local
  (reference_declarator (identifier) @local)
  (init_declarator declarator: [(identifier) @local (reference_declarator (identifier) @local)])
]
; end

; part pointed
[
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
]
; end

; part type
[(type_identifier) (qualified_identifier) (template_type)] @local.held
; end

; part held
(template_argument_list . (type_descriptor type: {type}))
; end

; std::unique_ptr<Cart> cart;
(declaration
  type: [
    (template_type name: (_) @_pointer arguments: {held})
    (qualified_identifier name: (template_type name: (_) @_pointer arguments: {held}))
  ]
  declarator: {declared}
  (#any-of? @_pointer "unique_ptr" "shared_ptr" "scoped_ptr" "intrusive_ptr" "optional")
  (#set! through "->"))

; auto cart = std::make_unique<Cart>();
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: (identifier) @local
    value: (call_expression function: [
      (template_function name: (_) @_maker arguments: {held})
      (qualified_identifier name: (template_function name: (_) @_maker arguments: {held}))
    ]))
  (#any-of? @_maker "make_unique" "make_shared")
  (#set! through "->"))

; Cart cart{1}; Cart& cart = other;
(declaration type: {type} declarator: {declared} (#set! through "."))

; Cart* cart;
(declaration type: {type} declarator: {pointed} (#set! through "->"))

; Cart cart(other), which is read as a function
(declaration
  type: {type}
  declarator: (function_declarator declarator: (identifier) @local)
  (#set! through "."))

; auto cart = Cart{1}; auto cart = find(1);
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: {named}
    value: [
      (call_expression function: [(identifier) (qualified_identifier) (template_function) (field_expression)] @local.held)
      (compound_literal_expression type: {type})
      (new_expression type: {type})
    ]))

; for (const Cart& cart : carts)
(for_range_loop
  type: {type}
  declarator: [(identifier) @local (reference_declarator (identifier) @local)]
  (#set! through "."))

(for_range_loop
  type: {type}
  declarator: (pointer_declarator declarator: (identifier) @local)
  (#set! through "->"))

; [](Cart& cart) {}
(lambda_expression
  declarator: (_
    parameters: (parameter_list
      (parameter_declaration
        type: {type}
        declarator: [(identifier) @local (reference_declarator (identifier) @local)])))
  (#set! through "."))

; Others hide those of the same name.
(declaration declarator: {declared})
(declaration declarator: {pointed})
(for_range_loop declarator: [(identifier) @local (reference_declarator (_) @local) (pointer_declarator declarator: (_) @local)])
(lambda_expression
  declarator: (_ parameters: (parameter_list (parameter_declaration declarator: {named}))))
(catch_clause parameters: (parameter_list (parameter_declaration declarator: {named})))
