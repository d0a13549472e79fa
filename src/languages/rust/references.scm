; Uses of names in Rust: @reference.<kind> is the name, @qualifier the part before its last separator. If two patterns
; match one place, the first wins.

; #[derive(Debug, serde::Serialize)]
(attribute_item
  (attribute
    (identifier) @_derive
    arguments: (token_tree (identifier) @qualifier . "::" . (identifier) @reference.decorate))
  (#eq? @_derive "derive"))

(attribute_item
  (attribute
    (identifier) @_derive
    arguments: (token_tree (identifier) @reference.decorate . ["," ")"]))
  (#eq? @_derive "derive"))

; Attributes that are not built in: #[tokio::main], #[handler]
(attribute_item
  (attribute (scoped_identifier path: (_) @qualifier name: (_) @reference.decorate)))

(attribute_item
  (attribute (identifier) @reference.decorate)
  (#not-any-of? @reference.decorate
    "allow" "automatically_derived" "cfg" "cfg_attr" "cold" "deny" "deprecated" "derive" "doc" "expect" "export_name"
    "forbid" "global_allocator" "ignore" "inline" "link" "link_name" "macro_export" "macro_use" "must_use"
    "no_mangle" "non_exhaustive" "path" "proc_macro" "proc_macro_attribute" "proc_macro_derive" "repr"
    "should_panic" "target_feature" "test" "track_caller" "unsafe" "used" "warn"))

; trait A: B + m::C<D>
(trait_item
  bounds: (trait_bounds [
    (type_identifier) @reference.inherit
    (scoped_type_identifier path: (_) @qualifier name: (_) @reference.inherit)
    (generic_type type: (type_identifier) @reference.inherit)
    (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (_) @reference.inherit))
  ]))

; impl A for B: a reference from B
(impl_item
  trait: [
    (type_identifier) @reference.implement
    (scoped_type_identifier path: (_) @qualifier name: (_) @reference.implement)
    (generic_type type: (type_identifier) @reference.implement)
    (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (_) @reference.implement))
  ]
  type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (reference_type type: (type_identifier) @owner)
    (reference_type type: (generic_type type: (type_identifier) @owner))
    (_)
  ])

(call_expression
  function: [
    (identifier) @reference.call
    (scoped_identifier path: (_) @qualifier name: (_) @reference.call)
    (scoped_identifier !path name: (_) @reference.call)
    (field_expression value: (_) @qualifier field: (field_identifier) @reference.call)
    (generic_function function: (identifier) @reference.call)
    (generic_function function: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
    (generic_function function: (field_expression value: (_) @qualifier field: (_) @reference.call))
  ])

(macro_invocation
  macro: [
    (identifier) @reference.call
    (scoped_identifier path: (_) @qualifier name: (_) @reference.call)
  ])

; S { a: 1 }, m::S { a: 1 }, S::<T> { a: 1 }
(struct_expression
  name: [
    (type_identifier) @reference.call
    (scoped_type_identifier path: (_) @qualifier name: (_) @reference.call)
    (generic_type_with_turbofish type: (type_identifier) @reference.call)
  ]
  (#not-eq? @reference.call "Self"))

; Conditions, not calls: #[cfg(all(unix, not(test)))]
(attribute
  (identifier) @_cfg
  arguments: (token_tree (identifier) @reference.none . (token_tree))
  (#any-of? @_cfg "cfg" "cfg_attr"))

(attribute
  (identifier) @_cfg
  arguments: (token_tree (token_tree (identifier) @reference.none . (token_tree)))
  (#any-of? @_cfg "cfg" "cfg_attr"))

(attribute
  (identifier) @_cfg
  arguments: (token_tree (token_tree (token_tree (identifier) @reference.none . (token_tree))))
  (#any-of? @_cfg "cfg" "cfg_attr"))

; Calls in the arguments of a macro, which the grammar does not parse: assert_eq!(a.b(x).c(), C::d(y))
(token_tree
  "."
  .
  (identifier) @reference.call
  .
  (token_tree . "(")
  (#set! qualifier "before"))

(token_tree
  "::"
  .
  (identifier) @reference.call
  .
  (token_tree . "(")
  (#set! qualifier "before"))

(token_tree
  (identifier) @reference.call
  .
  (token_tree . "("))

; Variants, constants and functions as values: run(m::f), match x { E::A => 1 }
(arguments (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(array_expression (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(binary_expression (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(block (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(field_initializer value: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(let_declaration value: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(match_arm value: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(match_pattern (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(or_pattern (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(reference_expression value: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(return_expression (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(tuple_struct_pattern type: (scoped_identifier path: (_) @qualifier name: (_) @reference.call))
(tuple_struct_pattern type: (identifier) @reference.call)

; All other uses of types.
(type_parameter name: (type_identifier) @reference.none)

(scoped_type_identifier path: (_) @qualifier name: (_) @reference.type)

((type_identifier) @reference.type
  (#not-eq? @reference.type "Self"))

; Names that the file defines or imports, as arguments: get(handler)
((arguments (identifier) @reference.call)
  (#set! of "definitions"))

((field_initializer value: (identifier) @reference.call)
  (#set! of "definitions"))

(let_declaration pattern: (identifier) @local)
(let_declaration
  pattern: (identifier) @local
  type: [
    (type_identifier) @local.type
    (scoped_type_identifier) @local.type
    (reference_type type: (type_identifier) @local.type)
  ])
(let_declaration
  pattern: (identifier) @local
  !type
  value: [
    (call_expression function: (_) @local.call)
    (reference_expression value: (call_expression function: (_) @local.call))
    (struct_expression name: (_) @local.type)
  ])
; let cart = open()?; let cart = open().await;
(let_declaration pattern: (identifier) @local !type value: [(try_expression) (await_expression)] @local.value)

; let cart = Arc::new(open()?);
(let_declaration
  pattern: (identifier) @local
  !type
  value: (call_expression
    function: (scoped_identifier path: (identifier) @_box name: (identifier) @_new)
    arguments: (arguments . [
      (call_expression) @local.value
      (try_expression) @local.value
      (await_expression) @local.value
      (struct_expression name: (_) @local.type)
    ] .))
  (#any-of? @_box "Arc" "Box" "Rc")
  (#eq? @_new "new"))

; part inside
(tuple_struct_pattern type: (identifier) @_some . (identifier) @local .)
; end

; let Some(cart) = find() else { return };
(let_declaration
  pattern: {inside}
  !type
  value: (_) @local.value
  (#any-of? @_some "Some" "Ok")
  (#set! then "?"))

; if let Some(cart) = find() {}
(if_expression
  condition: [
    (let_condition pattern: {inside} value: (_) @local.value)
    (let_chain (let_condition pattern: {inside} value: (_) @local.value))
  ]
  consequence: (_) @local.in
  (#any-of? @_some "Some" "Ok")
  (#set! then "?"))

(while_expression
  condition: (let_condition pattern: {inside} value: (_) @local.value)
  body: (_) @local.in
  (#any-of? @_some "Some" "Ok")
  (#set! then "?"))

; match find() { Some(cart) => {} }
(match_expression
  value: (_) @local.value
  body: (match_block (match_arm pattern: (match_pattern {inside}) value: (_) @local.in))
  (#any-of? @_some "Some" "Ok")
  (#set! then "?"))

(for_expression pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern (identifier) @local)
(captured_pattern (identifier) @local)
(match_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
((closure_expression parameters: (closure_parameters (identifier) @local)) @local.in
  (#set! given))
