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

; A path from the file's own folder, which is read from the text: require File.expand_path("../foo", __FILE__)
(call
  !receiver
  method: (identifier) @_method
  arguments: (argument_list . [(call) (binary) (string (interpolation))] @_path .)
  (#any-of? @_method "require" "load")
  (#match? @_path "__dir__|__FILE__")) @import
