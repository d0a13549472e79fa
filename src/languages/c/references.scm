; Uses of names in C: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match
; one place, the first wins.

(call_expression function: (identifier) @reference.call)

(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @reference.call))

; Functions as values, if this file defines them: run(callback), { "name", handler }, .read = reader, &handler
(argument_list (identifier) @reference.call (#set! of "definitions"))

(initializer_list (identifier) @reference.call (#set! of "definitions"))

(initializer_pair value: (identifier) @reference.call (#set! of "definitions"))

(pointer_expression argument: (identifier) @reference.call (#set! of "definitions"))

(assignment_expression
  left: (field_expression)
  right: (identifier) @reference.call
  (#set! of "definitions"))

(type_identifier) @reference.type
