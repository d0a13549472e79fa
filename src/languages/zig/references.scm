; Uses of names in Zig: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match one
; place, the first wins. By convention, only types start with a capital.

; error.Bad, error{Bad}, .Bad
(error_type (identifier) @reference.none)

(error_set_declaration (identifier) @reference.none)

(field_expression !object member: (identifier) @reference.none)

(container_field name: (identifier) @reference.none)

; fn f() !List(u8)
(call_expression
  function: (error_union_type ok: (identifier) @reference.type))

(call_expression function: [
  (identifier) @reference.call
  (field_expression object: (_) @qualifier member: (identifier) @reference.call)
])

; T{}, a.T{}
(struct_initializer . [
  (identifier) @reference.call
  (field_expression object: (_) @qualifier member: (identifier) @reference.call)
])

; All other uses of types. The grammar takes `*a.T` for `(*a).T`.
((field_expression object: (_) member: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]")
  (#set! qualifier "before"))

; Values of types and files: Kind.first, a.max
((field_expression
  object: (identifier) @qualifier
  member: (identifier) @reference.call)
  (#match? @qualifier "^[A-Z]"))

((field_expression
  object: (identifier) @qualifier
  member: (identifier) @reference.call)
  (#set! of "imports"))

((identifier) @reference.type
  (#match? @reference.type "^[A-Z]"))

; Functions and constants of the file as values: run(handler), &handler, .{ .run = handler }
((call_expression (identifier) @reference.call)
  (#set! of "definitions"))

((unary_expression argument: (identifier) @reference.call)
  (#set! of "definitions"))

((assignment_expression right: (identifier) @reference.call)
  (#set! of "definitions"))

((binary_expression (identifier) @reference.call)
  (#set! of "definitions"))

; Variables of functions. What is before a member of an optional pointer is part of the type, of which the grammar makes a field.
; part declared
[
  (identifier) @local.type
  (field_expression) @local.type
  (pointer_type (identifier) @local.type .)
  (nullable_type (identifier) @local.type)
  (nullable_type (pointer_type (identifier) @local.type .))
]
; end

; part call
(call_expression function: [(identifier) (field_expression)] @local.call)
; end

; part given
[
  {call}
  (try_expression {call})
  (catch_expression . {call})
  (binary_expression left: {call} operator: "orelse")
]
; end

(variable_declaration . (identifier) @local)
(variable_declaration . (identifier) @local type: {declared})
(variable_declaration . (identifier) @local . {given})
(variable_declaration . (identifier) @local . (struct_initializer . [(identifier) (field_expression)] @local.type))
(variable_declaration . (identifier) @local . (field_expression object: (_)) @local.value)
(variable_declaration
  . (identifier) @local
  . (unary_expression operator: "&" argument: (field_expression object: (_)) @local.value))

(parameter name: (identifier) @local)

(payload (identifier) @local)

; if (next()) |each| {}, while (next()) |each| {}
(if_statement condition: {given} (payload . (identifier) @local .) body: (_) @local.in)
(while_statement condition: {given} (payload . (identifier) @local .) body: (_) @local.in)
