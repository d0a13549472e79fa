; Definitions of C++.
;
; @symbol.<kind> is the definition, @name its name with its prefix (`a::B<T>::run`), @body the part that its signature
; omits. If two patterns match one place, the first wins. A declaration counts if the file does not also define the
; function. Declarators are spelled out to the depth that code uses.

; Functions. Those directly in a class or with a class before their name are methods.
(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (_) @name)))
  ]
  body: (_)? @body
  (#not-any-of? @name "if" "for" "while" "switch")) @symbol.function

(declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
  ]
  (#set! declared "true")) @symbol.function

(field_declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
  ]
  (#set! declared "true")) @symbol.method

(class_specifier name: (_) @name body: (_) @body) @symbol.class

(struct_specifier name: (_) @name body: (_) @body) @symbol.class

(union_specifier name: (_) @name body: (_) @body) @symbol.class

(enum_specifier name: (_) @name body: (_) @body) @symbol.enum

(namespace_definition name: (_) @name body: (_) @body) @symbol.namespace

(namespace_alias_definition name: (_) @name) @symbol.type_alias

(concept_definition name: (_) @name) @symbol.interface

(alias_declaration name: (_) @name) @symbol.type_alias

; typedef struct { } Name;
(type_definition
  type: [
    (struct_specifier !name body: (_) @body)
    (union_specifier !name body: (_) @body)
    (class_specifier !name body: (_) @body)
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
    (class_specifier !body)
    (enum_specifier !body)
    (type_identifier)
    (primitive_type)
    (sized_type_specifier)
    (qualified_identifier)
    (template_type)
    (dependent_type)
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
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

; Members of a nameless enum are constants of the enclosing scope.
(enum_specifier !name body: (enumerator_list (enumerator name: (identifier) @name) @symbol.variable))

(enum_specifier body: (enumerator_list (enumerator name: (identifier) @name) @symbol.property))

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
    (reference_declarator (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
  ]) @symbol.property

; A named lambda is a function, unless it is local to one.
(translation_unit
  (declaration
    declarator: (init_declarator
      declarator: (identifier) @name
      value: (lambda_expression body: (_) @body))) @symbol.function)

(declaration_list
  (declaration
    declarator: (init_declarator
      declarator: (identifier) @name
      value: (lambda_expression body: (_) @body))) @symbol.function)

; Variables count unless they are local to a function.
(declaration
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (init_declarator declarator: (reference_declarator (identifier) @name))
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  ]) @symbol.variable

; const int A::limit = 3;
(declaration
  declarator: [
    (qualified_identifier) @name
    (init_declarator declarator: (qualified_identifier) @name)
    (init_declarator declarator: (array_declarator declarator: (qualified_identifier) @name))
  ]) @symbol.variable

(preproc_def name: (identifier) @name value: (_)) @symbol.variable

(preproc_function_def name: (identifier) @name value: (_)? @body) @symbol.function

; Members hidden by `private:` and `protected:`.
(field_declaration_list (access_specifier) @section) @section.body

(field_declaration_list) @section.body

; Prefixes that are part of a definition: template <class T> requires C<T>, [[nodiscard]]
(template_declaration "template" @decorator)

(template_declaration parameters: (template_parameter_list) @decorator)

(template_declaration (requires_clause) @decorator)

(attribute_declaration) @decorator
