; Definitions of Dart.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits: the body of a function
; follows its node. If two patterns match one place, the first wins.

(annotation) @decorator

; --- types -------------------------------------------------------------------------------------------

(class_definition name: (identifier) @name body: (_) @body) @symbol.class

; class A = B with C;
(class_definition (mixin_application_class . (identifier) @name)) @symbol.class

(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @symbol.class

(extension_type_declaration name: (identifier) @name body: (_) @body) @symbol.class

; extension type A(int value) {}
(representation_declaration (identifier) @name . ")") @symbol.property

(extension_declaration name: (identifier) @name body: (_) @body) @symbol.class

(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum

(enum_constant name: (identifier) @name) @symbol.property

; typedef F = int Function(int);
(type_alias . (type_identifier) @name . (type_parameters)? . "=") @symbol.type_alias

; typedef int F(int a);
(type_alias (type_identifier) @name . (formal_parameter_list)) @symbol.type_alias

; --- members with and without a body -----------------------------------------------------------------

; A nameless extension extends a type.
(extension_declaration
  !name
  class: (_) @owner
  body: (extension_body
    (method_signature [
      (function_signature name: (identifier) @name)
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
      (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
    ]) @symbol.method
    . (function_body) @body))

(extension_declaration
  !name
  class: (_) @owner
  body: (extension_body
    (declaration [
      (static_final_declaration_list (static_final_declaration . (identifier) @name))
      (initialized_identifier_list (initialized_identifier . (identifier) @name))
    ]) @symbol.property))

((method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
    (constructor_signature . name: (identifier) . name: (identifier) @name)
    (constructor_signature . name: (identifier) @name . parameters: (_))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ]) @symbol.method
  . (function_body) @body)

(method_signature [
  (constructor_signature . name: (identifier) . name: (identifier) @name)
  (constructor_signature . name: (identifier) @name . parameters: (_))
]) @symbol.method

(declaration [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  (constructor_signature . name: (identifier) . name: (identifier) @name)
  (constructor_signature . name: (identifier) @name . parameters: (_))
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
]) @symbol.method

(declaration [
  (static_final_declaration_list (static_final_declaration . (identifier) @name))
  (initialized_identifier_list (initialized_identifier . (identifier) @name))
]) @symbol.property

; --- functions and variables of the file ----------------------------------------------------------------

(program
  [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ] @symbol.function
  . (function_body) @body)

(program [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
] @symbol.function)

(local_function_declaration
  (lambda_expression
    parameters: (function_signature name: (identifier) @name)
    body: (function_body) @body)) @symbol.function

(program [
  (static_final_declaration_list (static_final_declaration . (identifier) @name) @symbol.variable)
  (initialized_identifier_list (initialized_identifier . (identifier) @name) @symbol.variable)
])

; --- tests -----------------------------------------------------------------------------------------------

; group("title", () { }), test("title", () { }), blocTest<A, B>("title", build: () => A())
((expression_statement
  . (identifier) @_function
  . (selector (argument_part (arguments
    . (argument (string_literal) @name)
    . [
      (argument (function_expression body: (_) @body))
      (named_argument (label) . (function_expression body: (_) @body))
    ]))))
  (#any-of? @_function "group" "test" "testWidgets" "blocTest" "testGoldens")) @symbol.function
