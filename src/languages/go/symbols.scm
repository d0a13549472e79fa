; Definitions of Go.
;
; @symbol.<kind> is the definition, @name its name, @owner the type of a method, @body the part that its signature
; omits. If two patterns match one place, the first wins.

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @symbol.function

; func (s *Server[T]) Run() {}
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (pointer_type (type_identifier) @owner)
        (generic_type type: (type_identifier) @owner)
        (pointer_type (generic_type type: (type_identifier) @owner))
      ]))
  name: (field_identifier) @name
  body: (block)? @body) @symbol.method

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @symbol.class

(type_spec
  name: (type_identifier) @name
  type: (interface_type "{" @body)) @symbol.interface

; type Handler func(), type ID = string
(type_spec name: (type_identifier) @name) @symbol.type_alias

(type_alias name: (type_identifier) @name) @symbol.type_alias

; Fields of named structs; embedded ones are uses of the embedded types.
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration name: (field_identifier) @name) @symbol.property)))

(type_spec
  type: (interface_type
    (method_elem name: (field_identifier) @name) @symbol.method))

; Each name of a const or var block, except `_`.
(source_file
  (const_declaration
    (const_spec (identifier) @name) @symbol.variable)
  (#not-eq? @name "_"))

(source_file
  (var_declaration [
    (var_spec name: (identifier) @name) @symbol.variable
    (var_spec_list (var_spec name: (identifier) @name) @symbol.variable)
  ])
  (#not-eq? @name "_"))
