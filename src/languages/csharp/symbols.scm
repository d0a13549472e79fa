; Definitions of C#.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. Attributes are inside the
; definition, at its start. Namespaces are the package of the file (imports.scm), not symbols.

(attribute_list) @decorator

; Types without a body: class C(int x);
[
  (class_declaration name: (identifier) @name body: (_)? @body)
  (struct_declaration name: (identifier) @name body: (_)? @body)
  (record_declaration name: (identifier) @name body: (_)? @body)
] @symbol.class

(interface_declaration name: (identifier) @name body: (_)? @body) @symbol.interface

(enum_declaration name: (identifier) @name body: (_)? @body) @symbol.enum

(enum_member_declaration name: (identifier) @name) @symbol.property

(delegate_declaration name: (identifier) @name) @symbol.type_alias

[
  (method_declaration name: (identifier) @name body: (_)? @body)
  (constructor_declaration name: (identifier) @name body: (_)? @body)
] @symbol.method

(destructor_declaration
  name: (identifier) @name
  body: (_)? @body
  (#set! prefix "~")) @symbol.method

; operator ==(A a, A b), explicit operator int(A a)
([
  (operator_declaration operator: _ @name body: (_)? @body)
  (conversion_operator_declaration type: (_) @name body: (_)? @body)
] @symbol.method
  (#set! prefix "operator "))

; public Item this[int index] { get; set; }
(indexer_declaration
  "this" @name
  [
    accessors: (_) @body
    value: (_) @body
  ]) @symbol.property

(property_declaration
  name: (identifier) @name
  [
    accessors: (_) @body
    value: (arrow_expression_clause) @body
  ]) @symbol.property

(event_declaration name: (identifier) @name accessors: (_)? @body) @symbol.property

(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.property

(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.property

; record Point(int X, int Y): properties, which are public
([
  (record_declaration (parameter_list (parameter name: (identifier) @name) @symbol.property))
  (record_declaration (parameter_list name: (identifier) @symbol.property @name))
] (#set! public "true"))

(local_function_statement name: (identifier) @name body: (_)? @body) @symbol.function
