import { checkEdges } from "./imports-check.ts";

checkEdges(
  "packages are found by pubspec.yaml, other files beside the importing one",
  `
//- pubspec.yaml
name: _
//- app/pubspec.yaml
description: >
  name: wrong
name: "app"
dependencies:
  name: other
//- app/lib/app.dart
import 'dart:io';
import '../../outside.dart';
import '../../../gone.dart';
import 'package:app/src/a.dart' deferred as a show A; // package:app/src/b.dart
import "package:tools/tools.dart";
import 'package:http/http.dart';
import 'src/stub.dart'
    if (dart.library.io) 'src/io.dart'
    if (dart.library.html) 'src/web.dart';
export 'src/b.dart';
part 'app.g.dart';
part 'src/part.dart';
//- app/lib/src/a.dart
//- app/lib/src/b.dart
//- app/lib/src/stub.dart
//- app/lib/src/io.dart
//- app/lib/src/web.dart
//- app/lib/src/part.dart
part of '../app.dart';
//- app/test/a_test.dart
import 'package:app/src/a.dart';
import 'package:tools/tools.dart';
//- fixtures/app/pubspec.yaml
name: app
//- fixtures/app/lib/src/a.dart
//- outside.dart
//- tools/pubspec.yaml
name: tools
//- tools/lib/tools.dart
import 'package:app/app.dart';
`,
  `
app/lib/app.dart -> app/lib/src/a.dart
app/lib/app.dart -> app/lib/src/b.dart
app/lib/app.dart -> app/lib/src/io.dart
app/lib/app.dart -> app/lib/src/part.dart
app/lib/app.dart -> app/lib/src/stub.dart
app/lib/app.dart -> app/lib/src/web.dart
app/lib/app.dart -> outside.dart
app/lib/app.dart -> tools/lib/tools.dart
app/lib/src/part.dart -> app/lib/app.dart
app/test/a_test.dart -> app/lib/src/a.dart
app/test/a_test.dart -> tools/lib/tools.dart
tools/lib/tools.dart -> app/lib/app.dart
`,
);
