; Tests that macros define, named as their reports name them: by the groups of `#set! title` in @title.

; TEST(Suite, name), TEST_F(Fixture, name)
(function_definition
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @title)
  body: (_) @body
  (#match? @name "^([A-Z0-9]{1,40}_){0,6}TEST(_[A-Z]|_FIXTURE)?$")
  (#set! title "^\\(\\s*(\\w+)(?:\\s*,\\s*(\\w+))?")) @symbol.function

; TEST_CASE("title", "[tag]"), TEST_CASE_METHOD(Fixture, "title"), BOOST_AUTO_TEST_CASE(name), TEST_IMPL(name)
(function_definition
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @title)
  body: (_) @body
  (#match? @name "^([A-Z0-9]{1,40}_){0,6}(TEST|SCENARIO|BENCHMARK)(_[A-Z0-9]{1,40}){0,6}$")
  (#set! title "^\\((?:[^\",]*,)?\\s*\"((?:[^\"\\\\]|\\\\.)+)\"|^\\(\\s*(\\w+)")) @symbol.function
