; Comments of Java.
[(line_comment) (block_comment)] @comment
