/** The test of a file that comes first is in scope, although nothing imports the file and other files match better. */
import { expect, test } from "bun:test";
import { indexed } from "../../support/indexed.ts";

const go = (name: string): string =>
  `package plant\n\n// Start${name} starts the pump.\nfunc Start${name}() string {\n\treturn "pump ${name}"\n}\n`;
const goTest = (name: string): string =>
  `package plant\n\nimport "testing"\n\nfunc TestStart${name}(t *testing.T) {\n\tStart${name}()\n}\n`;
const pumps = Array.from({ length: 12 }, (_, at) => String.fromCharCode(65 + at)).flatMap((name) => [
  [`pump_${name.toLowerCase()}.go`, go(name)],
  [`pump_${name.toLowerCase()}_test.go`, goTest(name)],
]);

test("a Go file that a hint names brings its test", async () => {
  using plant = await indexed({
    ...Object.fromEntries(pumps),
    "valve.go": "package plant\n\n// OpenValve opens.\nfunc OpenValve() bool {\n\treturn true\n}\n",
    "valve_test.go":
      'package plant\n\nimport "testing"\n\nfunc TestOpens(t *testing.T) {\n\tif !OpenValve() {\n\t\tt.Fatal("shut")\n\t}\n}\n',
  });
  const { selection } = await plant.run("start the pump faster", { paths: ["valve.go"], scopeSize: 5 });
  const relations = selection.files.map(({ file, relation }) => [file.path, relation]);
  expect(relations[0]?.[0]).toBe("valve.go");
  expect(relations.find(([path]) => path === "valve_test.go")).toEqual(["valve_test.go", "tests valve.go"]);
});
