; Definitions of C.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins. A prototype counts if the file does not also define the function. Declarators are spelled out
; to the depth that code uses: `int *f()`, `char **f()`, `int (*f())()`.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ]
  body: (_) @body
  (#not-any-of? @name "if" "for" "while" "switch")) @symbol.function

; TEST(Suite, name) { }; its arguments are read as one
(function_definition
  .
  type: (type_identifier) @name
  declarator: (parenthesized_declarator (identifier)) @title
  body: (_) @body
  (#match? @name "^([A-Z0-9]{1,40}_){0,6}TEST(_[A-Z]|_FIXTURE)?$")
  (#set! title "^\\(\\s*(\\w+)(?:\\s*,\\s*(\\w+))?")) @symbol.function

; TEST_IMPL(name) { }
(function_definition
  .
  type: (type_identifier) @name
  declarator: (parenthesized_declarator (identifier)) @title
  body: (_) @body
  (#match? @name "^([A-Z0-9]{1,40}_){0,6}(TEST|BENCHMARK)(_[A-Z0-9]{1,40}){0,6}$")
  (#set! title "^\\(\\s*(\\w+)")) @symbol.function

; MACRO(name) { }
(function_definition
  .
  type: (type_identifier) @name
  declarator: (parenthesized_declarator (identifier))
  body: (_) @body
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @symbol.function

; static ALLOCATOR(name) { }
(function_definition
  (storage_class_specifier)
  declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @symbol.function

(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
  ]
  (#set! declared "true")) @symbol.function

(struct_specifier name: (type_identifier) @name body: (_) @body) @symbol.class

(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.class

(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.enum

; typedef struct { ... } Name;
(type_definition
  type: [
    (struct_specifier !name body: (_) @body)
    (union_specifier !name body: (_) @body)
  ]
  declarator: (type_identifier) @name) @symbol.class

(type_definition
  type: (enum_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @symbol.enum

; typedef struct tag { ... } Name, *Pointer; the type itself is the struct
(type_definition
  type: [
    (struct_specifier name: (_) @_tag body: (_))
    (union_specifier name: (_) @_tag body: (_))
    (enum_specifier name: (_) @_tag body: (_))
  ]
  declarator: (type_identifier) @symbol.type_alias @name
  (#not-eq? @name @_tag))

(type_definition
  type: [
    (struct_specifier body: (_))
    (union_specifier body: (_))
    (enum_specifier body: (_))
  ]
  declarator: (pointer_declarator declarator: (type_identifier) @name) @symbol.type_alias)

; typedef int Name, (*Function)(int), Array[3];
(type_definition
  type: [
    (struct_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)
    (type_identifier)
    (primitive_type)
    (sized_type_specifier)
    (macro_type_specifier)
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (type_identifier) @name)
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
  ]) @symbol.type_alias

(type_definition
  type: (enum_specifier body: (enumerator_list (enumerator name: (identifier) @name) @symbol.property)))

; Members of a nameless enum are constants of the file.
(enum_specifier !name body: (enumerator_list (enumerator name: (identifier) @name) @symbol.variable))

(enum_specifier body: (enumerator_list (enumerator name: (identifier) @name) @symbol.property))

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
    (array_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))
  ]) @symbol.property

; Variables count unless they are local to a function.
(declaration
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  ]) @symbol.variable

(preproc_def name: (identifier) @name value: (_)) @symbol.variable

(preproc_function_def name: (identifier) @name value: (_)? @body) @symbol.function
