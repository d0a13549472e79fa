; Uses of names in Python: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns
; match one place, the first wins.

(decorator [
  (identifier) @reference.decorate
  (attribute object: (_) @qualifier attribute: (identifier) @reference.decorate)
  (call function: (identifier) @reference.decorate)
  (call function: (attribute object: (_) @qualifier attribute: (identifier) @reference.decorate))
])

; @show.register(int), @cli.command(): what another function of this file or an import collects
((decorator [
  (attribute object: (identifier) @reference.decorate attribute: (_) @_collect)
  (call function: (attribute object: (identifier) @reference.decorate attribute: (_) @_collect))
])
  (#any-of? @_collect "register" "command" "group")
  (#set! of "definitions"))

; class A(B, m.C, D[int])
(class_definition
  superclasses: (argument_list [
    (identifier) @reference.inherit
    (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit)
    (subscript value: (identifier) @reference.inherit)
    (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit))
    (keyword_argument value: (identifier) @reference.inherit)
    (keyword_argument value: (attribute object: (_) @qualifier attribute: (identifier) @reference.inherit))
  ]))

; class A(Generic[T], Sequence["B"])
(class_definition
  superclasses: (argument_list
    (subscript subscript: [
      (identifier) @reference.type
      (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
      (string (string_content) @reference.type)
    ])))

(call function: (identifier) @reference.call)

(call function: (attribute object: (_) @qualifier attribute: (identifier) @reference.call))

(type [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (generic_type (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference.type))
  (string (string_content) @reference.type)
])

; A | B | "C", nested to the left
(type (binary_operator [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (string (string_content) @reference.type)
  (binary_operator [
    (identifier) @reference.type
    (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
    (subscript value: (identifier) @reference.type)
    (string (string_content) @reference.type)
  ])
]))

; t.Dict[str, Foo | Bar[Baz]]
(type (subscript subscript: [
  (identifier) @reference.type
  (attribute object: (_) @qualifier attribute: (identifier) @reference.type)
  (string (string_content) @reference.type)
  (subscript value: (identifier) @reference.type)
  (subscript subscript: (identifier) @reference.type)
  (binary_operator (identifier) @reference.type)
]))

(generic_type (type_parameter (type (subscript subscript: (_ (identifier) @reference.type)))))

; raise A, except B, except (B, m.C) as e, case D(), case m.E(): uses of classes
(raise_statement . (identifier) @reference.call (#set! of "definitions"))
(raise_statement . (attribute object: (identifier) @qualifier attribute: (_) @reference.call) (#set! of "imports"))

; part caught
[
  (identifier) @reference.call
  (attribute object: (identifier) @qualifier attribute: (_) @reference.call)
  (tuple [
    (identifier) @reference.call
    (attribute object: (identifier) @qualifier attribute: (_) @reference.call)
  ])
]
; end

(except_clause value: {caught})
(except_clause value: (as_pattern . {caught}))

(class_pattern (dotted_name . (identifier) @reference.call .))
(class_pattern (dotted_name . (identifier) @qualifier . (identifier) @reference.call .))

; Names that the file defines or imports, as arguments and in lists and tables: Depends(connect), run(done=m.save)
((argument_list (identifier) @reference.call) (#set! of "definitions"))
((keyword_argument value: (identifier) @reference.call) (#set! of "definitions"))
((pair value: (identifier) @reference.call) (#set! of "definitions"))
((list (identifier) @reference.call) (#set! of "definitions"))

((argument_list (attribute object: (_) @qualifier attribute: (_) @reference.call)) (#set! of "imports"))
((keyword_argument value: (attribute object: (_) @qualifier attribute: (_) @reference.call)) (#set! of "imports"))
((pair value: (attribute object: (_) @qualifier attribute: (_) @reference.call)) (#set! of "imports"))
((list (attribute object: (_) @qualifier attribute: (_) @reference.call)) (#set! of "imports"))

(parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (typed_parameter . [(identifier) @local (_ (identifier) @local)])
  (typed_default_parameter name: (identifier) @local)
  (_ (identifier) @local)
])
(lambda_parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
])
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(named_expression name: (identifier) @local)
(for_statement left: [(identifier) @local (pattern_list (identifier) @local)])
(for_in_clause left: [(identifier) @local (pattern_list (identifier) @local)])
(as_pattern_target (identifier) @local)

(assignment
  left: (identifier) @local
  right: [
    (call function: (_) @local.call)
    (await (call function: (_) @local.call))
  ])
(assignment left: (identifier) @local type: (type [(identifier) (attribute)] @local.type))
(as_pattern (call function: (_) @local.call) alias: (as_pattern_target (identifier) @local))
