; Definitions of Rust.
;
; @symbol.<kind> is the definition, @name its name, @owner the type of its impl block, @body the part that its
; signature omits. If two patterns match one place, the first wins.

(attribute_item) @decorator

; impl<T> Tr for Type<T> { fn f() {} const C: u8 = 1; }, impl Tr for &Type {}, impl dyn Type + Send {}
(impl_item
  type: [
    (type_identifier) @owner
    (primitive_type) @owner
    (scoped_type_identifier name: (_) @owner)
    (generic_type type: (type_identifier) @owner)
    (generic_type type: (scoped_type_identifier name: (_) @owner))
    (reference_type type: (type_identifier) @owner)
    (reference_type type: (primitive_type) @owner)
    (reference_type type: (scoped_type_identifier name: (_) @owner))
    (reference_type type: (generic_type type: (type_identifier) @owner))
    (reference_type type: (generic_type type: (scoped_type_identifier name: (_) @owner)))
    (reference_type type: (dynamic_type trait: (type_identifier) @owner))
    (pointer_type type: (_) @owner)
    (dynamic_type trait: (type_identifier) @owner)
    (dynamic_type trait: (scoped_type_identifier name: (_) @owner))
    (dynamic_type trait: (generic_type type: (type_identifier) @owner))
    (bounded_type (dynamic_type trait: (type_identifier) @owner))
    (bounded_type (dynamic_type trait: (scoped_type_identifier name: (_) @owner)))
    (bounded_type (bounded_type (dynamic_type trait: (type_identifier) @owner)))
    (bounded_type (bounded_type (dynamic_type trait: (scoped_type_identifier name: (_) @owner))))
  ]
  body: (declaration_list [
    (function_item name: (_) @name body: (_) @body) @symbol.method
    (const_item name: (_) @name) @symbol.property
  ]))

; impl Tr for [Type] {}, impl Tr for (A, B) {}
(impl_item
  type: (_) @owner
  body: (declaration_list [
    (function_item name: (_) @name body: (_) @body) @symbol.method
    (const_item name: (_) @name) @symbol.property
  ]))

(trait_item
  body: (declaration_list [
    (function_item name: (_) @name body: (_) @body) @symbol.method
    (function_signature_item name: (_) @name) @symbol.method
    (const_item name: (_) @name) @symbol.property
    (associated_type name: (_) @name) @symbol.type_alias
  ]))

(function_item
  name: (_) @name
  body: (_) @body) @symbol.function

; extern "C" { fn f(); static S: u8; }
(foreign_mod_item
  body: (declaration_list [
    (function_signature_item name: (_) @name) @symbol.function
    (static_item name: (_) @name) @symbol.variable
  ]))

; The signature of a tuple struct includes its fields.
(struct_item
  name: (_) @name
  body: (field_declaration_list)? @body) @symbol.class

(struct_item
  name: (_) @name
  body: (ordered_field_declaration_list)) @symbol.class

(union_item
  name: (_) @name
  body: (_) @body) @symbol.class

(struct_item
  body: (field_declaration_list
    (field_declaration name: (_) @name) @symbol.property))

(union_item
  body: (field_declaration_list
    (field_declaration name: (_) @name) @symbol.property))

(enum_item
  name: (_) @name
  body: (_) @body) @symbol.enum

(enum_variant name: (_) @name) @symbol.property

(trait_item
  name: (_) @name
  body: (_) @body) @symbol.interface

(mod_item
  name: (_) @name
  body: (_) @body) @symbol.namespace

; `const _: () = { ... };` names nothing.
(source_file [
  (const_item name: (identifier) @name) @symbol.variable
  (static_item name: (identifier) @name) @symbol.variable
  (type_item name: (_) @name) @symbol.type_alias
]
  (#not-eq? @name "_"))

(mod_item
  body: (declaration_list [
    (const_item name: (identifier) @name) @symbol.variable
    (static_item name: (identifier) @name) @symbol.variable
    (type_item name: (_) @name) @symbol.type_alias
  ])
  (#not-eq? @name "_"))

(macro_definition
  name: (_) @name
  . ["{" "(" "["]? @body) @symbol.function

; #[doc = "text"], directly above the definition.
((attribute_item
  (attribute
    (identifier) @_doc
    value: (_ (string_content) @doc)))
  .
  (attribute_item)*
  .
  [
    (function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (trait_item) (mod_item)
    (const_item) (static_item) (type_item) (macro_definition) (field_declaration) (enum_variant)
  ] @documented
  (#eq? @_doc "doc"))
