; Comments of Swift.
[(comment) (multiline_comment)] @comment
