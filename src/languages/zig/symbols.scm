; Definitions of Zig, where constants hold types.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins.

; --- types -------------------------------------------------------------------------------------------

(variable_declaration
  . (identifier) @name
  [(struct_declaration "{" @body) (union_declaration "{" @body) (opaque_declaration "{" @body)]) @symbol.class

(variable_declaration
  . (identifier) @name
  [(enum_declaration "{" @body) (error_set_declaration "{" @body)]) @symbol.enum

; fn List(comptime T: type) type { return struct { ... }; }
(function_declaration
  name: (identifier) @name
  body: (block
    (expression_statement
      (return_expression [
        (struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration)
      ]))) @body) @symbol.class

; Fields of named types.
(variable_declaration [
  (struct_declaration (container_field name: (identifier) @name) @symbol.property)
  (union_declaration (container_field name: (identifier) @name) @symbol.property)
  (enum_declaration (container_field name: (identifier) @name) @symbol.property)
  (error_set_declaration (identifier) @name @symbol.property)
])

(return_expression [
  (struct_declaration (container_field name: (identifier) @name) @symbol.property)
  (union_declaration (container_field name: (identifier) @name) @symbol.property)
  (enum_declaration (container_field name: (identifier) @name) @symbol.property)
])

; A file is also a type.
(source_file (container_field name: (identifier) @name) @symbol.property)

; --- functions ---------------------------------------------------------------------------------------

(function_declaration name: (identifier) @name body: (_)? @body) @symbol.function

; test "title" {}, test name {}
(test_declaration [(string) (identifier)] @name (block) @body) @symbol.function

; --- variables: of the file, and of a type. The local name of a file is not a definition. -------------------

(source_file
  (variable_declaration . (identifier) @name) @symbol.variable
  (#not-match? @symbol.variable "^const [^=]*= @import\\b"))

([
    (struct_declaration (variable_declaration . (identifier) @name) @symbol.variable)
    (union_declaration (variable_declaration . (identifier) @name) @symbol.variable)
    (enum_declaration (variable_declaration . (identifier) @name) @symbol.variable)
    (opaque_declaration (variable_declaration . (identifier) @name) @symbol.variable)
  ]
  (#not-match? @symbol.variable "^const [^=]*= @import\\b"))
