; Uses of names in Solidity: @reference.<kind> is the name, @qualifier the part before its last dot. If two patterns match
; one place, the first wins.

; part type(kind)
[
  (user_defined_type . (identifier) @reference.{kind} .)
  (user_defined_type . (identifier) @qualifier . (identifier) @reference.{kind} .)
]
; end

; contract A is B, m.C(1)
(inheritance_specifier ancestor: {type(inherit)})

; using L for T, using {f, L.g} for T    What is attached to values in the contract or file (`attached-functions.ts`).
(using_directive (type_alias . (identifier) @reference.decorate .))

(using_directive (type_alias . (identifier) @qualifier . (identifier) @reference.decorate .))

(using_directive (using_alias {type(decorate)}))

; override(A, B) names bases again.
(override_specifier (user_defined_type (identifier) @reference.none))

; function f() only limited(1), constructor() A(1)
(modifier_invocation . (identifier) @reference.call)

[
  (emit_statement name: (expression (identifier) @reference.call))
  (revert_statement error: (expression (identifier) @reference.call))
  (call_expression function: (expression (identifier) @reference.call))
  (call_expression function: (expression (struct_expression type: (expression (identifier) @reference.call))))
]

; The functions of `abi` belong to the language.
(member_expression
  object: (identifier) @_language
  property: (identifier) @reference.none
  (#any-of? @_language "abi" "block" "msg" "tx"))

; payable(a).transfer(1)
((member_expression
  object: (_) @_address
  property: (identifier) @reference.none)
  (#match? @_address "^payable *[(]")
  (#any-of? @reference.none "send" "transfer"))

; a.f(1), a.f{value: 1}(2), emit A.B(1), revert A.B(1)    The grammar takes `x > a.b.c` for `(x > a.b).c`.
([
    (emit_statement name: (expression (member_expression property: (identifier) @reference.call)))
    (revert_statement error: (expression (member_expression property: (identifier) @reference.call)))
    (call_expression function: (expression (member_expression property: (identifier) @reference.call)))
    (call_expression
      function: (expression
        (struct_expression type: (expression (member_expression property: (identifier) @reference.call)))))
  ]
  (#set! qualifier "before"))

; new A(1), new A{salt: s}(1), new A[](2)
(new_expression name: (type_name {type(call)}))

; All other uses of types.
{type(type)}

; L.MAX, E.One, I.f.selector: by convention, types start with a capital.
((member_expression
  object: (identifier) @qualifier
  property: (identifier) @reference.call)
  (#match? @qualifier "^[A-Z]"))

; m.E.One
((member_expression
  object: (expression [
    (member_expression property: (identifier) @_type)
    (binary_expression right: (expression (member_expression property: (identifier) @_type)))
  ])
  property: (identifier) @reference.call)
  (#match? @_type "^[A-Z]")
  (#set! qualifier "before"))

; Constants, and functions as arguments: g(MAX, done)
((call_argument (expression (identifier) @reference.call))
  (#set! of "definitions"))

(parameter name: (identifier) @local)

(variable_declaration name: (identifier) @local)

(variable_declaration type: (type_name . (user_defined_type) @local.type .) name: (identifier) @local)
