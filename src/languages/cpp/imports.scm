; Imports of C++: all that an included file declares is visible. <angle brackets> are a part of the specifier.

(preproc_include
  path: [
    (string_literal (string_content) @specifier)
    (system_lib_string) @specifier
  ]
  (#set! star "true")) @import
