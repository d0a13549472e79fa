/**
 * Methods that every Ruby object, or one of its core and usual types, has: they say nothing about whose they are.
 *
 * From Object, Kernel, Module, Comparable, Enumerable, Enumerator, Array, Hash, String, Symbol, the numbers, Range,
 * Proc, Struct, Time, IO, File, Dir, Exception, Thread, Mutex, Regexp and Set, and those of the most used library's
 * extensions to them. Names shorter than four letters are not looked up anyway.
 */
export const RUBY_NAMES: ReadonlySet<string> = new Set(
  `abort abort_on_exception absolute_path absolute_path? advance after alias_method alive? all? allocate ancestors any?
   append append_features arity array_index assoc atime attr_accessor attr_reader attr_writer autoload backtrace
   backtrace_locations begin before beginless? between? binding binmode birthtime blank? block_given? bsearch
   bsearch_index bytes byteindex byteslice bytesize caller caller_locations callable? capitalize capitalize! captures
   casecmp casecmp? ceil center chain change chars chdir children chmod chomp chomp! chop chop! chunk chunk_while
   class class_eval class_exec class_method class_variable_get class_variable_set class_variables clamp clear clone
   close close_read close_write closed? codepoints coerce collect collect! collect_concat combination compact compact!
   compact_blank compare_by_identity concat const_defined? const_get const_missing const_set constantize constants count
   cover? create ctime curry cycle day days deconstruct deconstruct_keys deep_dup deep_merge deep_merge! default
   default= default_proc define_method define_singleton_method delete delete! delete_at delete_if delete_prefix
   delete_prefix! delete_suffix delete_suffix! denominator deq detect difference dig directory? dirname disjoint? display
   div divmod downcase downcase! downto drop drop_while duplicable? each each_byte each_char each_child each_codepoint
   each_cons each_entry each_index each_key each_line each_pair each_slice each_value each_with_index each_with_object
   empty? encode encode! encoding end end_with? endless? ends_with? enq enum_for eof? eql? equal? eval even? exception
   except exclude? exclude_end? exec executable? exist? exists? exit exit! expand_path extend extended extended? extname
   fdiv fetch fetch_values file? fileno fill filter filter! filter_map finalize find find_all find_index finite? first
   first! flat_map flatten flatten! flock floor flush fnmatch? force_encoding fork format freeze frozen? ftype full?
   full_message gcd generate getbyte getc gets getutc glob gmtime grep grep_v group_by gsub gsub! has_key? has_value?
   hash hex hour html_safe html_safe? humanize in? include include? included included_modules indent index indexes
   indices infinite? inherited initialize_copy inject inquiry insert inspect instance_eval instance_exec instance_method
   instance_methods instance_of? instance_variable_defined? instance_variable_get instance_variable_set
   instance_variables instances integer? intern intersect? intersection invert is_a? isatty itself join keep_if key key?
   keys kill kind_of? lambda lambda? last lastindex length lines link list ljust load local_variable_get local_variables
   localtime lock locked? loop lstat lstrip lstrip! magnitude many? map map! marshal_dump marshal_load match match? max
   max_by member? members merge merge! message method method_added method_defined? method_missing methods mkdir mkdir_p
   module_eval module_exec module_function month monday? mtime name named_captures names nan? negative? new next next!
   next_values nil? none? nonzero? notify now numerator object_id odd? of one? open ordinalize pack parameterize parameters
   parse partition path peek permutation pipe pluck pluralize popen positive? post_match pread pred prepend prepended
   presence present? pretty_print prev print printf private private_class_method private_constant private_instance_methods
   private_method_defined? proc proc? product protected protected_methods public public_class_method public_instance_method
   public_instance_methods public_method public_method_defined? public_send puts putc pwrite quo raise rand rassoc rationalize
   read read_nonblock readable? readchar readline readlines readlink readpartial realpath receiver reduce refine regexp
   rehash reject reject! relative? remainder remove_class_variable remove_const remove_instance_variable remove_method
   rename reopen repeated_combination replace report_on_exception require require_relative rescue respond_to
   respond_to? respond_to_missing? result resume reverse reverse! reverse_each reverse_merge reverse_merge! rewind rindex
   rjust rotate rotate! round rpartition rstrip rstrip! ruby2_keywords sample scan scrub second seconds seek select select!
   send separator set_backtrace set_encoding setbyte shift shuffle shuffle! signal singleton_class singleton_class?
   singleton_method singleton_methods singularize size size? sleep slice slice! slice_after slice_before slice_when
   sort sort! sort_by sort_by! source source_location spawn split sprintf squeeze squeeze! squish start start_with?
   starts_with? stat status step store strftime strip strip! strptime sub! subclasses subset? succ succ! success? sum
   super_method superclass superset? swapcase swapcase! symbolize_keys symbolize_keys! symlink? sync synchronize sysread
   system syswrite take take_while tally tally_by tap tell test then throw times titleize to_enum to_path to_proc to_set
   to_sym today touch transaction transform_keys transform_keys! transform_values transform_values! transpose truncate
   try try! tty? tr! tr_s type unbind undef_method underscore ungetc unicode_normalize union uniq uniq! unlink unlock
   unpack unpack1 unread unshift untaint upcase upcase! update upto utc valid_encoding? value value? values values_at
   visit wait wakeup warn weekday with with_index with_object with_indifferent_access world_readable? writable? write
   write_nonblock yday year yield yield_self zero? zip zone`.split(/\s+/),
);
