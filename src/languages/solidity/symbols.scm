; Definitions of Solidity.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins.

; --- types -------------------------------------------------------------------------------------------

(contract_declaration name: (identifier) @name body: (_) @body) @symbol.class
(library_declaration name: (identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (identifier) @name body: (_) @body) @symbol.interface

(struct_declaration name: (identifier) @name body: (_) @body) @symbol.class
(struct_member name: (identifier) @name) @symbol.property

(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(enum_value) @name @symbol.property

(user_defined_type_definition name: (identifier) @name) @symbol.type_alias

; --- functions, and events and errors, which are called like them ---------------------------------------------------

(contract_body [
  (function_definition name: (identifier) @name body: (_)? @body)
  (modifier_definition name: (identifier) @name body: (_)? @body)
  (constructor_definition "constructor" @name body: (_) @body)
  (fallback_receive_definition ["fallback" "receive"] @name body: (_)? @body)
  (event_definition name: (identifier) @name)
  (error_declaration name: (identifier) @name)
] @symbol.method)

(source_file [
  (function_definition name: (identifier) @name body: (_)? @body)
  (event_definition name: (identifier) @name)
  (error_declaration name: (identifier) @name)
] @symbol.function)

; --- variables ---------------------------------------------------------------------------------------

(state_variable_declaration name: (identifier) @name) @symbol.property
(constant_variable_declaration name: (identifier) @name) @symbol.variable
