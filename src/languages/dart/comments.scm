; Comments of Dart.
(comment) @comment
(documentation_comment) @comment
