/**
 * Names that say nothing about whose they are: methods that built-in types and usual libraries have.
 *
 * A use of one of these on a value of unknown type is left alone. The second list is for languages whose types are
 * declared; there a first letter may be a capital (`Header` in Go and C#, `header` elsewhere).
 * Ruby, whose methods are asked by name most, has a list of its own (`ruby-core-names.ts`).
 */
import type { ImportFamily } from "../../languages/language.ts";
import { RUBY_NAMES } from "./ruby-core-names.ts";

/** Methods of the built-in types and the usual libraries of Python and JavaScript. */
const SCRIPT_NAMES: ReadonlySet<string> = new Set(
  `abort accept acquire addEventListener apply append appendChild apply assert astype bind call cancel capitalize catch
   ceil charAt charCodeAt clear clone close closest codePointAt commit concat configure connect contains content copy
   count create createElement cursor debug decode delete describe destroy difference dispatch dispatchEvent dispose
   disconnect discard done dump dumps emit encode encodeURIComponent endswith endsWith entries equals error escape
   every exception execute exists exit expandtabs expect extend fail fetch fetchall fetchone fileno fill filter finalize
   finally find findIndex findLast find_all first flat flatMap floor flush format forEach freeze from fromEntries
   fromkeys fullmatch get getAttribute getElementById getTime getvalue getitem group groupdict groups handle hasAttribute
   hasOwnProperty header headers index indexOf info init initialize insert intersection isArray isalnum isalpha isdigit
   isidentifier islower isnumeric isspace issubset issuperset istitle isupper items iter join json keys kill last
   lastIndexOf length list listen listener ljust load loads localeCompare lock log lower lstrip main make match matchAll
   mean merge message method name next normalize notify notifyAll open options padEnd padStart parse partition pause
   peek pipe poll popitem post prepend preventDefault print process push querySelector querySelectorAll quit raise read
   readline readlines receive recv reduce reduceRight register reject release reload remove removeAttribute
   removeChild removeEventListener removeListener render repeat replace replaceAll request reset resolve respond restore
   result resume return reverse rfind rindex rjust rollback round rpartition rsplit rstrip save search seek select
   send sendall serialize setAttribute setdefault setItem getItem removeItem setTimeout setup shape shift shutdown size
   skip slice some sort sorted splice split splitlines spawn start startswith startsWith stat status stop stringify
   strftime strip strptime submit subscribe substr substring success sum swapcase symmetric_difference tell teardown test
   text then throw time title toArray toFixed toISOString toJSON toList toLocaleString toLowerCase toString toUpperCase
   tobytes tolist total transform translate trigger trim trimEnd trimStart truncate type union unlink unlock unregister
   unshift unsubscribe update upper validate value valueOf values view visit wait walk warn warning where with wrap
   write writelines yield zfill __init__ __new__ __call__ __enter__ __exit__ __eq__ __repr__ __str__ __len__ __iter__
   constructor`.split(/\s+/),
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

/** Whether a name is one of many libraries. `isTyped`: in a language whose types are declared. */
export function isCommonName(name: string, family: ImportFamily, isTyped: boolean): boolean {
  if (!isTyped) return SCRIPT_NAMES.has(name);
  if (family === "ruby" && RUBY_NAMES.has(name)) return true;
  const plain = name.charAt(0).toLowerCase() + name.slice(1);
  return SCRIPT_NAMES.has(plain) || TYPED_NAMES.has(plain);
}
