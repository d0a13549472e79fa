/**
 * Names that do not identify their owner: methods of built-in types and widely used libraries.
 *
 * A reference to one of these on a value of unknown type stays unresolved. The second list is for languages with declared
 * types, where the first letter may be a capital (`Header` in Go and C#).
 */
import type { ImportFamily } from "../../../languages/language.ts";

/** Methods of the built-in types and the usual libraries of Python and JavaScript. */
const SCRIPT_NAMES: ReadonlySet<string> = new Set(
  `abort accept acquire addEventListener allSettled append appendChild appendleft apply apply as_posix assert assign
   astype bind call cancel capitalize casefold catch ceil charAt charCodeAt clear clone close closest codePointAt
   commit concat configure connect contains content copy copyWithin count create createElement cursor debug decode
   defineProperties defineProperty delete deleteProperty describe destroy difference difference_update digest discard
   disconnect dispatch dispatchEvent dispose done dump dumps emit encode encodeURIComponent endsWith endswith entries
   equals error escape every exception execute executemany executescript exists existsSync exit expandtabs expanduser
   expect extend extendleft fail fetch fetchall fetchmany fetchone fileno fill filter finalize finally find find_all
   findall findIndex finditer findLast findLastIndex first flat flatMap floor flush forEach format freeze from
   fromAsync fromCharCode fromCodePoint fromEntries fromkeys fullmatch get getAttribute getElementById getFullYear
   getItem getitem getMilliseconds getMinutes getOwnPropertyDescriptor getOwnPropertyNames getPrototypeOf getSeconds
   getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMinutes getUTCMonth getUTCSeconds
   getvalue group groupdict groups handle hasAttribute hasOwn hasOwnProperty header headers hexdigest includes index
   indexOf info init initialize insert intersection intersection_update is_absolute is_alive is_dir is_file
   is_symlink isalnum isalpha isArray isdigit isdisjoint isFinite isidentifier isInteger islower isNaN isnumeric
   isoformat isSafeInteger isspace issubset isSubsetOf issuperset isSupersetOf istitle isupper items iter iterdir
   join joinpath json keys kill last lastIndexOf length list listen listener ljust load loads localeCompare lock log
   lower lstrip main make match matchAll mean merge message method mkdir mkdirSync most_common move_to_end name next
   normalize notify notifyAll open options ownKeys padEnd padStart parse parseFloat parseInt partition pause peek
   pipe poll popitem popleft post prepend prependListener preventDefault print process propertyIsEnumerable push
   querySelector querySelectorAll quit raise read read_bytes read_text readdirSync readFileSync readline readlines
   receive recv reduce reduceRight register reject relative_to release reload remove removeAllListeners
   removeAttribute removeChild removeEventListener removeItem removeListener removeprefix removesuffix render repeat
   replace replaceAll request reset resolve respond restore result resume return reverse rfind rglob rindex rjust
   rmdir rmSync rollback round rpartition rsplit rstrip save search seek select send sendall serialize setAttribute
   setdefault setItem setPrototypeOf setTimeout setup shape shift shutdown size skip slice some sort sorted spawn
   splice split splitlines start startsWith startswith stat statSync status stop strftime stringify strip strptime
   subarray submit subn subscribe substr substring success sum swapcase symmetric_difference
   symmetric_difference_update symmetricDifference teardown tell test text then throw time timetuple title toArray
   tobytes toDateString toExponential toFixed toISOString toJSON toList tolist toLocaleDateString toLocaleLowerCase
   toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase toPrecision toReversed toSorted toSpliced toString
   total total_seconds toUpperCase toUTCString transform translate trigger trim trimEnd trimLeft trimRight trimStart
   truncate type union unlink unlock unregister unshift unsubscribe update upper utcoffset validate value valueOf
   values view visit wait walk warn warning where with with_name with_suffix wrap write write_bytes write_text
   writeFileSync writelines yield zfill __init__ __new__ __call__ __enter__ __exit__ __eq__ __repr__ __str__ __len__
   __iter__ constructor`.split(/\s+/),
);

/** Methods of the built-in types and the usual libraries of Go, Java, Rust, C++, C#, Ruby, PHP, Kotlin, Swift and Scala. */
const TYPED_NAMES: ReadonlySet<string> = new Set(
  `addAll addAssign addFirst addHandler addLast addr advance after allOf allSatisfy allocate always andThen anyMatch
   anyOf apis appendCodePoint arguments array asBytes asIterator asList asMut asRef asSequence asSlice asStr asString
   as_bool as_bytes as_deref as_i64 as_mut as_mut_ptr as_mut_slice as_ptr as_ref as_slice as_str as_string as_u64
   assertContains assertCount assertEqual assertEquals assertFalse assertInstanceOf assertIsArray assertNotNull
   assertNull assertSame assertThat assertThrows assertTrue asyncMap atomicAdd attr attribute attributes available
   await back background basename before begin begin_with between binarySearch bits body boolValue booleanValue
   borrow borrow_mut boxed buffer build builder by_ref byteCount byteLength byteValue bytes bytesize c_str cache
   callback canExecute canRead canWrite capacity cast cbegin cend chain chars check childNodes children chomp chop
   chunk chunked chunks chunksExact class cleanup clip cloned coalesce code codePoints codeUnits collect
   collectAsList collectList columns combine command compact compare compareAndSet compareTo compareToIgnoreCase
   compile complete completed component components compose computeIfAbsent computeIfPresent cond config configuration
   containsAll containsKey containsValue content_type context contextual conversion convert copied copyOf copyTo
   copyWith cosine counter createMock createNew createQuery current currentTimeMillis cycle data data_mut date
   deadline decodeString decoder decrement deepEqual deepEquals default defaultValue define delegate deleteAt
   deleteCharAt delimiter deposit deque dequeue deref deref_mut description deserialize directory disable dismiss
   disposed distinct distinctBy divide doFinally document domain double doubleValue downcase downcast downcast_ref
   drain drop dropFirst dropLast dropWhile duration during each eachLine each_key each_pair each_slice each_value
   each_with_index each_with_object elapsed element elements emplace emplace_back empty emptyList enable
   encodeToString encoder encoding end_with ended enqueue ensure ensureCapacity entry entrySet enumerate
   enumerateObjects environment eprintln equal equalFold equalTo equalsIgnoreCase erase errorIs errorf eval evaluate
   event except exclude exist existsSync expectException expect_err expired explode expr extend_from_slice extension
   extra extract failed failure fatal fatalf fatalln fetchAll fetchColumn field fields file fileExists fileName
   filename files filterNot filterNotNull filter_map findAll findAny findById findByName findFirst findOne findOrNull
   find_by find_each find_map finished fire firstChild firstIndex firstOrDefault firstOrNull flat_map flatten flipped
   float floatValue floor_div fold foldLeft foldRight foldl following font forEachIndexed forEachOrdered force
   formatTo formatted forward fprint fprintf fprintln frame free freezed from_bytes from_iter from_str from_utf8
   front fulfill function future generate genericError getAll getAndIncrement getAndSet getArgument getAsInt
   getAttributes getBody getByte getBytes getCanonicalName getCause getChars getChildren getClass getClassLoader
   getClassName getClient getCode getColumn getConfig getConnection getContent getContents getContext getCount
   getCurrent getData getDeclaredField getDeclaredFields getDeclaredMethods getDefault getDescription getEncoding
   getEnumerator getField getFields getFile getFileName getFirst getFormat getHash getHashCode getHeader getHeaders
   getHeight getHost getIndex getInput getInputStream getInstance getInt getInteger getKey getKeys getKind getLast
   getLength getLevel getLine getLines getList getLocale getLogger getLong getMax getMessage getMethod getMethods
   getMin getMock getMockBuilder getModifiers getName getNext getNumber getObject getOffset getOption getOptions
   getOrCreate getOrDefault getOrElse getOrNull getOrPut getOrThrow getOutput getOutputStream getOwner getParameter
   getParameterTypes getParameters getParent getPath getPort getPosition getProperties getProperty getQuery getReader
   getRequest getResource getResourceAsStream getResponse getResult getReturnType getRoot getRow getSchema getScheme
   getService getSession getShort getShortName getSimpleName getSize getSource getStackTrace getStart getState
   getStatus getStatusCode getString getSuperclass getTag getText getThis getTimestamp getTitle getToken getTotal
   getType getTypeName getTypes getUri getUrl getUser getValue getValues getVersion getWidth getWriter get_mut
   get_or_insert_with get_ref get_unchecked global goto groupBy groupingBy gsub guard handler hasChildren hasData
   hasErrors hasMore hasMoreElements hasNext hasNextInt hasNextLine hasNoElements hasPrefix hasPrevious hasRemaining
   hasSuffix hasValue has_key has_value hash hashCode hashKey head headOption helper hide host hours html icon
   identity identityHashCode ifEmpty ifPresent ifPresentOrElse ignore ignoreCase implode import inMillis include
   includes increment incrementAndGet indent indexOfFirst indexWhere indices infof infoln inheritance inject inner
   input insertAt insertBefore insert_str inspect inspect_err instance instanceMethods instance_of
   instance_variable_get instance_variable_set instant intValue integer intern interrupt intersect into
   into_boxed_slice into_inner into_iter into_string invalidate invoke invokeAll invokeLater invokeSuspend isActive
   isAlive isAssignableFrom isBlank isCancelled isClosed isConnected isDefined isDigit isDirectory isDone isEmpty
   isEnabled isEnum isEqual isEqualTo isError isExist isFailure isFile isFinite isFull isInfinite isInstance
   isInterface isLetter isLoaded isLocked isMatch isNaN isNil isNot isNotEmpty isNotNull isNull isNullOrEmpty
   isNullOrWhiteSpace isOk isOpen isPresent isPrimitive isPublic isReady isRunning isSet isSome isStatic isSuccess
   isSuccessful isType isUpper isValid isValue isVisible isWhitespace isZero is_a is_alphabetic is_alphanumeric
   is_array is_ascii is_char_boundary is_digit is_dir is_empty is_err is_file is_none is_null is_ok is_some
   is_some_and is_whitespace itemAt iter_mut iterate iterator joinToString joined keySet key_or keyed kind kindOf
   label lambda lastIndex lastOption lastOrNull last_mut last_or_default layout lazy leading left length_squared less
   level limit line lines link listFiles listIterator loaded locked logf logger longValue lookup loop lowercase
   lowercased lstat makeIterator make_ascii_lowercase mapIndexed mapKeys mapNotNull mapTo mapToInt mapToObj mapValues
   map_err map_or map_or_else mark markTestSkipped marshal marshalJSON match_indices matched matcher matches maxBy
   maxElement maxOf max_by max_by_key member members memoize metadata millis minBy min_by_key minus mkString mkdir
   mkdirs mode model modify module month move moveNext move_to multiply must mutate nameWithType named names nanos
   native negate nested newCall newFixedThreadPool newInstance newline nextChild nextDouble nextElement nextInt
   nextLine nextLong nextToken next_back next_if noError node nodes nonEmpty none noneMatch notNil notNull
   notifyObservers nullable numElements number object objectAt observe ofMillis ofNullable ofSeconds offer offset
   ok_or ok_or_else onComplete onEach onError onFailure onNext onSubscribe onSuccess once openStream option optional
   orElse orElseGet orElseThrow orNull orWhere or_default or_else or_insert or_insert_with order orderBy
   orderByDescending output overlaps owner pack padLeft padRight parallel parameters params parent parseBoolean
   parseDouble parseFloat parseInt parseLong parse_args partial partitionBy patch path pathname payload peekable
   permissions permit play pluck plus point pollFirst poll_next popBack popFirst popFront popLast pop_back pop_front
   port position predicate prefix prepare present pretty prev previous primary printStackTrace printStackTraceln
   printf println product properties property protocol provide proxy publish pull purge pushBack push_back push_front
   push_str putAll putIfAbsent puts query queue quote rand random range ranges rank rbegin readAll readAllBytes
   readAsync readBoolean readByte readFile readFully readInt readLine readLines readLong readObject readString
   readText readToEnd readUTF8 readUtf8 read_exact read_line read_to_end read_to_string reader ready rebuild received
   record recover redirect reducing reflect refresh regex region rehash reindex reject_if relative reloadData
   remaining removeAll removeAt removeFirst removeIf removeLast removeRange removeValue remove_prefix rename rend
   render_to_string repeated replaceFirst replaceItems replaceSubrange report represent require requireNonNull
   reserve resize resource respond_to responds_to response rest restart resultSet resume_unwind retain retainAll
   retry returnValue returns reverseOrder reversed rewind right root rotate roundTrip round_to rows rsplitn runAsync
   runBlocking runes sample satisfy saturating_add saturating_sub scan scanln schedule schema scheme scope second
   seconds section segment self sendAsync sendRequest sequence serializeObject series serveHTTP service session
   setAccessible setAll setAttributes setBody setCode setConfig setContent setContentType setContext setData setDate
   setDeadline setDefault setDescription setEnabled setError setExpectedException setField setFile setFlags setFormat
   setHeader setHeaders setId setIndex setInt setKey setLabel setLength setLevel setLevels setLocale setLogger
   setLong setMax setMessage setMethod setMode setName setObject setOnClickListener setOption setOptions setOutput
   setParameter setParent setPath setPort setPosition setPrefix setProperties setProperty setReadDeadline setSize
   setState setStatus setString setStyle setTag setText setTitle setType setUp setUrl setUser setValue setValues
   setVersion setVisible setWidth setWriteDeadline setenv severe shared shift_remove shouldBe shouldEqual
   shouldReturn should_receive show shrink_to_fit shuffle shuffled signal signum single singleOrDefault sizeOf
   skipWhile skipf sleep slices snapshot sortBy sortByDescending sortWith sort_by sort_by_key sort_unstable sortedBy
   sortedDescending sortedWith source span splitAsStream split_at split_first split_last split_once split_whitespace
   spliterator splitn sprint sprintf sqrt squeeze stack standard startActivity startOf start_with startsAt
   starts_with state statusCode step stopped store stream stride string stringByAppending stringValue stripMargin
   strip_prefix strip_suffix stroke stub style subList subMap subSequence subSet subject subscript succ suffix sumOf
   sum_by superclass supplier supports suspend swap swapAt switch sync synchronize synchronized syscall system table
   tableName tags tail tailMap take takeIf takeLast takeUnless takeWhile target task tasks tempDir template terminate
   testIsNull thenAccept thenApply thenBy thenCompose thenReturn thenThrow throws tick timeIntervalSince time_since
   timeout times timestamp titleCase toBe toBoolean toByteArray toBytes toCharArray toDate toDictionary toDouble
   toEpochMilli toEqual toFloat toHexString toInstant toInt toIntOrNull toInteger toJson toLong toLower
   toLowerInvariant toMap toMillis toMutableList toPath toRegex toSeconds toSeq toSet toSnakeCase toStringAsFixed
   toTypedArray toURI toURL toUpper toUpperInvariant toVector to_a to_ary to_ascii_lowercase to_ascii_uppercase
   to_bits to_bytes to_date to_f to_h to_hash to_i to_json to_lowercase to_owned to_path_buf to_proc to_s to_str
   to_string to_string_lossy to_sym to_time to_uppercase to_utf8 to_vec toggle token tokenize touch trace traits
   transaction transferTo transform_values transpose traverse trimFunc trimIndent trimLeft trimMargin trimPrefix
   trimRight trimSpace trimSuffix trim_end trim_end_matches trim_matches trim_start trim_start_matches trimmed
   trimmingCharacters tryAdvance tryGet tryGetValue tryLock tryParse try_from try_into try_recv try_send tuple
   typeName typeOf type_of unbind uncapitalize unescape unicodeScalars uniq unique unit unlocked unmarshal
   unmarshalJSON unmarshalText unpack unquote unread unreadByte unsafe unset until unwrap unwrapErr unwrap_err
   unwrap_or unwrap_or_default unwrap_or_else upcase updateValue uppercase uppercased user userInfo using uuid valid
   valueForKey value_or variable variant version viewDidLoad viewWithTag visible waitFor waitForCompletion
   waitForExpectations waitGroup wakeup warnf warnln weekday whenComplete whereIn whereNot width willReturn willThrow
   window windows withContext withDefault withIndex withLock withName withOptions withTimeout with_capacity
   with_context with_index within wrapped wrapping_add wrapping_sub writeAll writeByte writeByteArray writeBytes
   writeFile writeHeader writeInt writeLine writeLong writeObject writeRune writeStartObject writeString writeText
   writeTo writeUtf8 writeValue write_all write_fmt write_str writer written year yielded zero zipWithIndex zipped`.split(
    /\s+/,
  ),
);

/** What the standard libraries of Kotlin and Scala add to that, and that of Swift with the usual frameworks. */
const FAMILY_NAMES: ReadonlyMap<ImportFamily, ReadonlySet<string>> = new Map([
  [
    "jvm",
    new Set(
      `also appended asInstanceOf associate associateBy associateWith async coerceAtLeast coerceAtMost coerceIn collectFirst
       collectLatest filterIsInstance foreach grouped ifBlank isInstanceOf isNullOrBlank launch maxByOrNull minByOrNull
       orEmpty plusAssign prepended reduceLeft reduceRight removePrefix removeSuffix runCatching scanLeft singleOrNull
       sliding sortedByDescending stripPrefix stripSuffix substringAfter substringBefore toMutableMap unzip updated useLines
       windowed withFilter`.split(/\s+/),
    ),
  ],
  [
    "swift",
    new Set(
      `addObserver addSubview compactMap container decodeIfPresent encodeIfPresent enumerated eraseToAnyPublisher
       nestedContainer nestedUnkeyedContainer removeObserver replacingOccurrences singleValueContainer sink superDecoder
       superEncoder unkeyedContainer withUnsafeBytes withUnsafeMutableBytes`.split(/\s+/),
    ),
  ],
  // Functions of the usual types of Zig's library: lists, maps, allocators, readers, writers, atomics and builds.
  [
    "zig",
    new Set(
      `addArg addArgs addAssumeCapacity addCSourceFile addExecutable addImport addIncludePath addModule addOneAssumeCapacity
   addOption addOptions addSystemCommand addTest alignedAlloc allEqual allocPrint allocSentinel allocatedSlice allocator
   appendAssumeCapacity appendNTimes appendSlice appendSliceAssumeCapacity ascii bufPrint bufferedReader bufferedWriter
   cloneWithAllocator cmpxchgStrong cmpxchgWeak createFile createModule deinit dependOn detectLeaks dupe dupeZ
   ensureTotalCapacity ensureTotalCapacityPrecise ensureUnusedCapacity eql expectEqual expectError expectFmt fba
   fetchAdd fetchPut fetchRemove fetchSub findFirstSet fromOwnedSlice getEntry getIndex getLast getLastOrNull getOrPut
   getOrPutAssumeCapacity getOrPutValue getPtr getWritten initCapacity insertSlice installArtifact isSet iterate
   keyIterator lockShared makeDir makeOpenPath makePath next openDir openFile orderedRemove popOrNull print putAssumeCapacity
   putNoClobber readAllAlloc readByte readFileAlloc readInt readNoEof readStruct readToEndAlloc realloc realpathAlloc
   resetEvent seekTo setCwd setValue shrinkAndFree shrinkRetainingCapacity swapRemove toOwnedSlice toOwnedSliceSentinel
   toggle tryLock unmanaged unset unusedCapacitySlice valueIterator valuePtr writeAll writeByte writeByteNTimes writeInt
   writeStruct writeToSlice`.split(/\s+/),
    ),
  ],
]);

/** Whether a name is one of many libraries. `isTyped`: in a language whose types are declared. */
export function isCommonName(name: string, family: ImportFamily, isTyped: boolean): boolean {
  if (!isTyped) return SCRIPT_NAMES.has(name);
  if (family === "ruby" && RUBY_NAMES.has(name)) return true;
  if (FAMILY_NAMES.get(family)?.has(name) === true) return true;
  const plain = name.charAt(0).toLowerCase() + name.slice(1);
  return SCRIPT_NAMES.has(plain) || TYPED_NAMES.has(plain);
}

/**
 * Methods of every Ruby object and of the core and usual types: Object, Kernel, Module, Comparable, Enumerable, Enumerator, Array,
 * Hash, String, Symbol, the numbers, Range, Proc, Struct, Time, IO, File, Dir, Exception, Thread, Mutex, Regexp, Set, and
 * ActiveSupport's extensions to them.
 */
const RUBY_NAMES: ReadonlySet<string> = new Set(
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
