; Imports of C and C++: every declaration of an included file becomes visible. The specifier includes <angle brackets>.

(preproc_include
  path: [
    (string_literal (string_content) @specifier)
    (system_lib_string) @specifier
  ]
  (#set! star "true")) @import
