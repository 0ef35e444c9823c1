/** `planloom models`: the models of a workflow, swapped without a restart. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optional, reading, workflow } from "./options.ts"

const author = {
  by: optional(Flag.String("by"), "name", "Who changes the models; you unless given"),
  why: optional(Flag.String("why"), "text", "Reason for the change"),
}

const list = Command.make(
  "list",
  { workflow, json, ...reading },
  deferred(async () => (await import("../models/listModels.ts")).listModels),
).pipe(
  Command.withDescription(
    "List the models that each alias and each stage of a workflow asks, and which are swapped.",
  ),
  Command.withShortDescription("List models in force"),
)

const swap = Command.make(
  "swap",
  {
    workflow,
    target: Argument.String("target").pipe(
      Argument.withDescription("An alias or a stage; stage:NAME or alias:NAME where both exist"),
    ),
    models: Argument.String("model").pipe(
      Argument.withDescription("provider/model, in order of preference"),
      Argument.atLeast(1),
    ),
    ...author,
    json,
    ...reading,
  },
  deferred(async () => (await import("../models/swapModels.ts")).swapModels),
).pipe(
  Command.withDescription(
    "Swap the models of an alias or a stage: the next call asks them, also in running servers, chats and runs. A model without a key, or that its service does not list, is refused.",
  ),
  Command.withShortDescription("Swap the models of an alias or a stage"),
  Command.withExamples([
    {
      command: "planloom models swap <workflow> writer openai/gpt-6.1-sol --why 'an outage'",
    },
  ]),
)

const undo = Command.make(
  "undo",
  { workflow, ...author, json, ...reading },
  deferred(async () => (await import("../models/undoModels.ts")).undoModels),
).pipe(
  Command.withDescription("Undo the last swap of a workflow that is in force."),
  Command.withShortDescription("Undo the last swap"),
)

const history = Command.make(
  "history",
  { workflow, json, ...reading },
  deferred(async () => (await import("../models/showHistory.ts")).showHistory),
).pipe(Command.withDescription("List the swaps of a workflow, newest first: who, when and why."))

export const models = Command.make("models").pipe(
  Command.withDescription("Show and swap the models of a workflow."),
  Command.withSubcommands([list, swap, undo, history]),
)
