/** `planloom test`: runs workflows against what their tests expect, without a model. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { off } from "./options.ts"

export const test = Command.make(
  "test",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Test files or folders. Without any: all *.test.yaml of the project",
      ),
      Argument.variadic(),
    ),
    filter: Flag.String("filter").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("Only the tests whose name holds this text"),
      Flag.withDefault(undefined),
    ),
    update: off("update", "Write the snapshots anew"),
    reporter: Flag.Literals("reporter", ["pretty", "junit", "json"]).pipe(
      Flag.withMetavar("pretty|junit|json"),
      Flag.withDescription("How to print what happened"),
      Flag.withDefault("pretty"),
    ),
  },
  deferred(async () => (await import("../test/testFiles.ts")).testFiles),
).pipe(
  Command.withDescription(
    "Run *.test.yaml files: scripted model replies and tool stubs in, assertions on the result. Needs no key and no network.",
  ),
  Command.withShortDescription("Run *.test.yaml files without a key"),
  Command.withExamples([
    { command: "planloom test" },
    { command: "planloom test --reporter junit > report.xml" },
  ]),
)
