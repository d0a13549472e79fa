; Comments of PHP.
(comment) @comment
