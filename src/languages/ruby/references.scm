; Uses of names in Ruby: @reference.<kind> is the name, @qualifier the part before its last dot, or the whole of a
; name with `::`, which ends with the name. If two patterns match one place, the first wins.

; class A < B::C; the call in `class A < Struct.new(:x)` is an ordinary use.
(superclass [
  (constant) @reference.inherit
  (scope_resolution name: (constant) @reference.inherit) @qualifier
])

; Foo = Class.new(Base)
(assignment
  right: (call
    receiver: (constant) @_class
    method: (identifier) @_new
    arguments: (argument_list . [
      (constant) @reference.inherit
      (scope_resolution name: (constant) @reference.inherit) @qualifier
    ]))
  (#eq? @_class "Class")
  (#eq? @_new "new"))

(call
  !receiver
  method: (identifier) @_mix
  arguments: (argument_list [
    (constant) @reference.implement
    (scope_resolution name: (constant) @reference.implement) @qualifier
  ])
  (#any-of? @_mix "include" "extend" "prepend"))

; What a module adds to the classes that include it: def self.included(base) base.extend(Labels)

; part added
(call
  receiver: (identifier)
  method: (identifier) @_mix
  arguments: (argument_list [
    (constant) @reference.implement
    (scope_resolution name: (constant) @reference.implement) @qualifier
  ]))
; end

(singleton_method
  name: (identifier) @_hook
  body: (body_statement [
    {added}
    (if_modifier body: {added})
    (unless_modifier body: {added})
  ])
  (#any-of? @_hook "included" "extended" "prepended" "inherited")
  (#any-of? @_mix "include" "extend" "prepend"))

; Foo::Bar.new calls the class.
(call
  receiver: [
    (constant) @reference.call
    (scope_resolution name: (constant) @reference.call) @qualifier
  ]
  method: (identifier) @_new
  (#eq? @_new "new"))

(call
  receiver: [(constant) (scope_resolution)]
  method: (identifier) @reference.none
  (#eq? @reference.none "new"))

; Methods that symbols name: before_action :load, validate :named, alias_method :a, :b, send(:run)
((call
  !receiver
  method: (identifier) @_hook
  arguments: (argument_list (simple_symbol) @reference.call))
  (#match? @_hook
    "^(?:(?:skip_|prepend_|append_)?(?:before|after|around)_\\w+|validate|helper_method|alias_method|(?:__|public_)?send(?:__)?|method)$")
  (#set! strip ":"))

; rescue_from A, with: :failed, before_save :a, if: :b?
((pair
  key: (hash_key_symbol) @_key
  value: (simple_symbol) @reference.call)
  (#any-of? @_key "if" "unless" "with" "to")
  (#in? @reference.call "pair" "argument_list")
  (#set! strip ":"))

; Calls that only define or load something.
(call
  !receiver
  method: (identifier) @reference.none
  (#any-of? @reference.none
    "require" "require_relative" "load" "autoload" "include" "extend" "prepend" "attr" "attr_reader" "attr_writer"
    "attr_accessor" "alias_method" "define_method" "private" "protected" "public" "private_constant"
    "private_class_method" "module_function" "raise" "puts" "lambda" "proc" "loop"))

(call
  receiver: (_) @qualifier
  method: [(identifier) (constant)] @reference.call)

(call
  !receiver
  method: [(identifier) (constant)] @reference.call)

; The names before `::` belong to the name after it.
(scope_resolution scope: (constant) @reference.none)
(scope_resolution scope: (scope_resolution name: (constant) @reference.none))

(scope_resolution name: (constant) @reference.type) @qualifier

; Names of definitions and targets of assignments are not uses.
(module name: (scope_resolution name: (constant) @reference.none))
(assignment left: (left_assignment_list (constant) @reference.none))

(constant) @reference.type

; A bare word is a call unless it is a local variable.
(program (identifier) @reference.none (#any-of? @reference.none "private" "public"))
(body_statement
  (identifier) @reference.none
  (#any-of? @reference.none "private" "protected" "public" "module_function" "private_class_method"))

((identifier) @reference.call
  (#set! of "others"))

(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(left_assignment_list (rest_assignment (identifier) @local))
(destructured_left_assignment (identifier) @local)
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(optional_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(singleton_method object: (identifier) @local)
((assignment
  left: (identifier) @local
  right: (call receiver: [(constant) (scope_resolution)] @local.type method: (identifier) @_new))
  (#eq? @_new "new"))
