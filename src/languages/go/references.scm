; Uses of names in Go: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match
; one place, the first wins.

; part type(kind)
[
  (type_identifier) @reference.{kind}
  (qualified_type package: (_) @qualifier name: (_) @reference.{kind})
  (generic_type type: (type_identifier) @reference.{kind})
  (generic_type type: (qualified_type package: (_) @qualifier name: (_) @reference.{kind}))
]
; end

; part plain-type(kind)
[
  (type_identifier) @reference.{kind}
  (qualified_type package: (_) @qualifier name: (_) @reference.{kind})
]
; end

; Embedded in a struct: type A struct { B; *pkg.C; D[int] }
(field_declaration
  !name
  type: {type(inherit)})

; Embedded in an interface: type A interface { B; pkg.C }
(interface_type
  (type_elem
    .
    {type(inherit)}
    .))

; var _ I = (*T)(nil), var _ I = &T{}: an assertion about the type that the compiler checks
((var_spec
  name: (identifier) @_blank
  type: {plain-type(implement)}
  value: (expression_list [
    (call_expression function: (parenthesized_expression (unary_expression operand: (identifier) @owner)))
    (unary_expression operand: (composite_literal type: (type_identifier) @owner))
    (composite_literal type: (type_identifier) @owner)
  ]))
  (#eq? @_blank "_"))

((call_expression function: (identifier) @reference.call)
  (#set! of "others"))

(call_expression
  function: (selector_expression operand: (_) @qualifier field: (_) @reference.call))

; f[int](x), which could also be a conversion
(type_conversion_expression
  type: (generic_type type: {plain-type(call)}))

; T{}, pkg.T{}, T[int]{}
(composite_literal
  type: {type(call)})

; (*T)(x)
(call_expression
  function: (parenthesized_expression (unary_expression operand: [
    (identifier) @reference.type
    (selector_expression operand: (_) @qualifier field: (_) @reference.type)
  ])))

; All other uses of types.
(qualified_type package: (_) @qualifier name: (_) @reference.type)

((type_identifier) @reference.type
  (#not-any-of? @reference.type
    "any" "bool" "byte" "comparable" "complex128" "complex64" "error" "float32" "float64" "int" "int16" "int32"
    "int64" "int8" "rune" "string" "uint" "uint16" "uint32" "uint64" "uint8" "uintptr"))

; Values of other packages: http.StatusOK, handle(pkg.Serve)
((selector_expression
  operand: (identifier) @qualifier
  field: (_) @reference.call)
  (#set! of "imports"))

; Functions and values of the package as arguments, fields and elements: handle(serve), Options{Run: serve}, []Step{ serve }
((argument_list (identifier) @reference.call)
  (#set! of "others"))

((keyed_element value: (literal_element (identifier) @reference.call))
  (#set! of "others"))

((literal_value (literal_element (identifier) @reference.call))
  (#set! of "others"))

(parameter_declaration name: (identifier) @local)

(variadic_parameter_declaration name: (identifier) @local)

(short_var_declaration left: (expression_list (identifier) @local)) @local.after

(short_var_declaration
  left: (expression_list . (identifier) @local)
  right: (expression_list . [
    (call_expression function: (_) @local.call)
    (composite_literal type: (_) @local.type)
    (unary_expression operand: (composite_literal type: (_) @local.type))
  ])) @local.after

(func_literal
  parameters: (parameter_list (parameter_declaration name: (identifier) @local type: (_) @local.type))) @local.in

(range_clause left: (expression_list (identifier) @local)) @local.after

(receive_statement left: (expression_list (identifier) @local))

(type_switch_statement alias: (expression_list (identifier) @local))

((var_declaration (var_spec name: (identifier) @local) @local.after) @_declaration
  (#in? @_declaration "statement_list" "block"))

((var_declaration (var_spec name: (identifier) @local type: (_) @local.type) @local.after) @_declaration
  (#in? @_declaration "statement_list" "block"))

((const_declaration (const_spec (identifier) @local)) @_declaration
  (#in? @_declaration "statement_list" "block"))
