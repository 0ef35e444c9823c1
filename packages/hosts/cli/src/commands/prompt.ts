/** `planloom prompt`: the prompt of one stage. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { inputs, json, off, optional, reading, workflow } from "./options.ts"

export const prompt = Command.make(
  "prompt",
  {
    workflow,
    stage: Flag.String("stage").pipe(
      Flag.withAlias("s"),
      Flag.withMetavar("id"),
      Flag.withDescription("The stage, by its id or path"),
    ),
    ...inputs,
    output: Flag.String("output").pipe(
      Flag.withMetavar("stage=JSON"),
      Flag.withDescription(
        "The result of another stage; unless given, a placeholder names what has no value. May be repeated",
      ),
      Flag.atLeast(0),
    ),
    mode: optional(Flag.String("mode"), "name", "The mode of the prompt, in place of the stage's"),
    diff: off("diff", "Show what each hook changed"),
    json,
    ...reading,
  },
  deferred(async () => (await import("../prompt/showStagePrompt.ts")).showStagePrompt),
).pipe(
  Command.withDescription(
    "Show the first request that the model of a stage would get: system sections, tools, messages and the tokens of each. Runs the hooks of the stage, and calls no model and no tool that changes something.",
  ),
  Command.withShortDescription("Show the exact prompt of a stage; calls no model"),
  Command.withExamples([
    {
      command: 'planloom prompt plan --stage results --input request="Compare the regions" --diff',
    },
  ]),
)
