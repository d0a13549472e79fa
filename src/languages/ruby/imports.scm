; Imports of Ruby. Definitions are global, so no import binds a name.
;
; The kind determines what the path is relative to: "import" to the folder of the file (`require_relative`), "require"
; to the load path (`require`, `autoload`), "dynamic" to either (`load`).

(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list . (string . (string_content) @specifier .) .)
  (#eq? @_method "require_relative")) @import

(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list . (string . (string_content) @specifier .) .)
  (#eq? @_method "require")
  (#set! kind "require")) @import

(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list . (string . (string_content) @specifier .))
  (#eq? @_method "load")
  (#set! kind "dynamic")) @import

; autoload :Foo, "foo"
(call
  method: (identifier) @_method
  arguments: (argument_list
    .
    (simple_symbol)
    .
    (string . (string_content) @specifier .))
  (#eq? @_method "autoload")
  (#set! kind "require")) @import

; require File.expand_path("foo", __dir__), require File.join(__dir__, "foo")
(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list
    .
    (call
      receiver: (constant) @_file
      method: (identifier) @_join
      arguments: [
        (argument_list . (string . (string_content) @specifier .) . (identifier) @_dir .)
        (argument_list . (identifier) @_dir . (string . (string_content) @specifier .) .)
      ])
    .)
  (#any-of? @_method "require" "load")
  (#eq? @_file "File")
  (#any-of? @_join "expand_path" "join")
  (#eq? @_dir "__dir__")) @import
