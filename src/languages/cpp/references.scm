; Uses of names in C++: @reference.<kind> is the name with its prefix (`a::B<T>::run`), @qualifier the part before a
; dot or an arrow. If two patterns match one place, the first wins.

(base_class_clause [
  (type_identifier) @reference.inherit
  (template_type) @reference.inherit
  (qualified_identifier) @reference.inherit
])

; part cast
(type_descriptor type: [(type_identifier) (qualified_identifier) (template_type)] @qualifier.type)
; end

; part target
(template_argument_list . {cast})
; end

; part member
[(field_identifier) @reference.call (template_method) @reference.call]
; end

; static_cast<Cart*>(item)->open()
(call_expression function: (field_expression
  argument: (call_expression function: (template_function name: (_) @_cast arguments: {target}))
  field: {member})
  (#any-of? @_cast "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))

; ((Cart*)item)->open()
(call_expression function: (field_expression
  argument: (parenthesized_expression (cast_expression type: {cast}))
  field: {member}))

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

; part value
[(identifier) @local (reference_declarator (identifier) @local)]
; end

; part pointer
(pointer_declarator declarator: (identifier) @local)
; end

; part declared
[{value} (init_declarator declarator: {value})]
; end

; part pointed
[{pointer} (init_declarator declarator: {pointer})]
; end

; part type
[(type_identifier) (qualified_identifier) (template_type)] @local.type
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
  (#set! through "->")
  (#set! shadows))

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
  (#set! through "->")
  (#set! shadows))

; Cart cart{1}; Cart& cart = other;
(declaration type: {type} declarator: {declared} (#set! through ".") (#set! shadows))

; Cart* cart;
(declaration type: {type} declarator: {pointed} (#set! through "->") (#set! shadows))

; Cart cart(other), which is read as a function
(declaration
  type: {type}
  declarator: (function_declarator declarator: (identifier) @local)
  (#set! through ".")
  (#set! shadows))

; auto cart = Cart{1}; auto cart = find(1);
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: {named}
    value: [
      (call_expression function: [(identifier) (qualified_identifier) (template_function) (field_expression)] @local.call)
      (compound_literal_expression type: {type})
      (new_expression type: {type})
    ])
  (#set! shadows))

; auto cart = static_cast<Cart*>(item);
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: {named}
    value: (call_expression function: (template_function name: (_) @_cast arguments: {held})))
  (#any-of? @_cast "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast")
  (#set! shadows))

(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: {named}
    value: (cast_expression type: (type_descriptor type: {type})))
  (#set! shadows))

; if (auto cart = find(1)) {}
(condition_clause value: (declaration
  type: (placeholder_type_specifier)
  declarator: {named}
  value: [
    (call_expression function: [(identifier) (qualified_identifier) (field_expression)] @local.call)
    (call_expression function: (template_function name: (_) @_cast arguments: {held}))
  ])
  (#set! shadows))

; for (const Cart& cart : carts)
(for_range_loop type: {type} declarator: {value} body: (_) @local.in (#set! through ".") (#set! shadows))
(for_range_loop type: {type} declarator: {pointer} body: (_) @local.in (#set! through "->") (#set! shadows))

; [](Cart& cart) {}
(lambda_expression
  declarator: (_ parameters: (parameter_list (parameter_declaration type: {type} declarator: {value})))
  (#set! through ".")
  (#set! shadows)) @local.in

; Others hide those of the same name. With both forms in one pattern the runtime loses matches.
(declaration declarator: {declared} (#set! shadows))
(declaration declarator: {pointed} (#set! shadows))
(for_range_loop declarator: {named} body: (_) @local.in (#set! shadows))
(lambda_expression
  declarator: (_ parameters: (parameter_list (parameter_declaration declarator: {named})))
  (#set! shadows)) @local.in
(catch_clause
  parameters: (parameter_list (parameter_declaration declarator: {named}))
  body: (_) @local.in
  (#set! shadows))
