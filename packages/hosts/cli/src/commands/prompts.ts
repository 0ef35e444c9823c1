/** `planloom prompts`: versions of the prompts of a workflow. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optional, reading, workflow } from "./options.ts"

const prompt = Argument.String("prompt").pipe(
  Argument.withDescription("Name of a prompt of the workflow"),
)

const textFlag = (name: string, description: string, fallback: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("number, file or active"),
    Flag.withDescription(description),
    Flag.withDefault(fallback),
  )

const author = {
  by: optional(Flag.String("by"), "name", "Who changes the prompt; you unless given"),
  why: optional(Flag.String("why"), "text", "Reason for the change"),
}

const list = Command.make(
  "list",
  { workflow, json, ...reading },
  deferred(async () => (await import("../prompts/listPrompts.ts")).listPrompts),
).pipe(
  Command.withDescription(
    "List the prompts of a workflow: whether a version or the file is active, and whether the file has changed since.",
  ),
  Command.withShortDescription("List prompts with their active text"),
)

const show = Command.make(
  "show",
  {
    workflow,
    prompt,
    version: textFlag("version", "The text to print", "active"),
    json,
    ...reading,
  },
  deferred(async () => (await import("../prompts/showPrompt.ts")).showPrompt),
).pipe(Command.withDescription("Print the text of a prompt, byte for byte."))

const history = Command.make(
  "history",
  { workflow, prompt, json, ...reading },
  deferred(async () => (await import("../prompts/showHistory.ts")).showHistory),
).pipe(Command.withDescription("List the versions of a prompt, newest first."))

const diff = Command.make(
  "diff",
  {
    workflow,
    prompt,
    from: textFlag("from", "The older text", "file"),
    to: textFlag("to", "The newer text", "active"),
    ...reading,
  },
  deferred(async () => (await import("../prompts/diffPrompt.ts")).diffPrompt),
).pipe(
  Command.withDescription("Show the lines that differ between two texts of a prompt."),
  Command.withExamples([{ command: "planloom prompts diff <workflow> <prompt> --from 2 --to 3" }]),
)

const edit = Command.make(
  "edit",
  {
    workflow,
    prompt,
    from: optional(
      Flag.String("from"),
      "file",
      "Take the text of this file instead of opening an editor; - is standard input",
    ),
    ...author,
    json,
    ...reading,
  },
  deferred(async () => (await import("../prompts/editPrompt.ts")).editPrompt),
).pipe(
  Command.withDescription(
    "Add a version of a prompt and make it active for the next runs, without a restart. A text with problems is refused.",
  ),
  Command.withShortDescription("Add a version of a prompt"),
)

const use = Command.make(
  "use",
  {
    workflow,
    prompt,
    version: Argument.String("version").pipe(
      Argument.withDescription("Number of a version, or file for the text of the file"),
    ),
    ...author,
    json,
    ...reading,
  },
  deferred(async () => (await import("../prompts/usePrompt.ts")).usePrompt),
).pipe(
  Command.withDescription(
    "Make a version of a prompt active, or the text of its file, for the next runs.",
  ),
  Command.withShortDescription("Make a version active"),
)

export const prompts = Command.make("prompts").pipe(
  Command.withDescription("Show, edit and swap the versions of a workflow's prompts."),
  Command.withSubcommands([list, show, history, diff, edit, use]),
)
