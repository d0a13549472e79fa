; Definitions that only TypeScript and TSX have.

(abstract_class_declaration name: (_) @name body: (class_body) @body) @symbol.class

(interface_declaration name: (_) @name body: (interface_body) @body) @symbol.interface

(interface_body (property_signature name: (_) @name) @symbol.property)

(method_signature name: (_) @name) @symbol.method

(abstract_method_signature name: (_) @name) @symbol.method

(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @symbol.method

(public_field_definition name: (_) @name) @symbol.property

; constructor(private a: A)   a parameter that declares a property of the class
(method_definition
  parameters: (formal_parameters [
    (required_parameter
      [(accessibility_modifier) (override_modifier) "readonly"]
      pattern: (identifier) @name)
    (optional_parameter
      [(accessibility_modifier) (override_modifier) "readonly"]
      pattern: (identifier) @name)
  ] @symbol.property))

(type_alias_declaration name: (_) @name) @symbol.type_alias

; import A = ns.B
(import_alias . (identifier) @name) @symbol.variable

(enum_declaration name: (_) @name body: (enum_body) @body) @symbol.enum

(enum_body [
  (property_identifier) @name @symbol.property
  (string) @name @symbol.property
  (enum_assignment name: (_) @name) @symbol.property
])

; function f(a: string): void;   an overload, or declared
(function_signature name: (identifier) @name) @symbol.function

; namespace N { }, module N { }, declare module "m" { }, declare global { }
(internal_module name: (_) @name body: (statement_block) @body) @symbol.namespace

(module name: (_) @name body: (statement_block) @body) @symbol.namespace

(ambient_declaration "global" @name (statement_block) @body) @symbol.namespace

; Variables of a namespace, and declared ones.
((export_statement
  declaration: (_ (variable_declarator name: (identifier) @name) @symbol.variable)) @_export
  (#in? @_export "statement_block"))

(ambient_declaration
  (_ (variable_declarator name: (identifier) @name) @symbol.variable))

; declare global { var A: string }
(ambient_declaration
  "global"
  (statement_block
    (_ (variable_declarator name: (identifier) @name) @symbol.variable)))

(module
  body: (statement_block
    (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)))
