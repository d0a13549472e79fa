; Definitions of PHP.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins. Namespaces are in imports.scm.

(class_declaration name: (name) @name body: (declaration_list) @body) @symbol.class

(trait_declaration name: (name) @name body: (declaration_list) @body) @symbol.class

(interface_declaration name: (name) @name body: (declaration_list) @body) @symbol.interface

(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @symbol.enum

(function_definition name: (name) @name body: (compound_statement) @body) @symbol.function

; Abstract methods and those of interfaces have no body.
(method_declaration name: (name) @name body: (compound_statement)? @body) @symbol.method

(attribute_list) @decorator

; A constant in a class becomes a property because of its place.
(const_declaration (const_element . (name) @name)) @symbol.variable

(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list)? @body) @symbol.property

; A parameter that declares a property of the class.
(method_declaration
  parameters: (formal_parameters
    (property_promotion_parameter name: (variable_name (name) @name)) @symbol.property))

(enum_case name: (name) @name) @symbol.property

; define("X", 1)
(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument [
    (string . (string_content) @name .)
    (encapsed_string . (string_content) @name .)
  ]))
  (#eq? @_define "define")) @symbol.variable
