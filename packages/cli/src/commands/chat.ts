/** `planloom chat`: a conversation with a workflow. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { cassette, inputs, off, optional, reading, workflow } from "./options.ts"

export const chat = Command.make(
  "chat",
  {
    workflow,
    session: optional(
      Flag.String("session"),
      "id",
      "The conversation to go on with, or the name of a new one",
    ),
    continue: off("continue", "Go on with the last conversation with this workflow").pipe(
      Flag.withAlias("c"),
    ),
    ...inputs,
    messageInput: optional(
      Flag.String("message-input"),
      "name",
      "The input that takes what is said; the one that `session.user` reads unless given",
    ),
    yes: off("yes", "Approve every tool that asks for approval"),
    json: off(
      "json",
      "Read one message per line; print one JSON event per line and a result after each turn",
    ),
    store: Flag.Boolean("store").pipe(
      Flag.withDescription(
        "Keep the conversation and its runs in .planloom/runs.db, as is done anyway; --no-store keeps it until you leave",
      ),
      Flag.withDefault(undefined),
    ),
    ...cassette,
    ...reading,
  },
  deferred(async () => (await import("../chat/chat.ts")).chat),
).pipe(
  Command.withDescription(
    "Talk with a workflow that says in `session:` what a turn keeps. Outputs that are told early are shown at once; questions and approvals are asked in between. Ctrl-C cancels a turn; twice, it leaves. On a pipe each line of standard input is a message.",
  ),
  Command.withShortDescription("Talk with a workflow"),
  Command.withExamples([
    { command: "planloom chat assistant" },
    { command: "planloom chat assistant --continue", description: "Go on where you left" },
    {
      command: "printf 'hello\\nand now?\\n' | planloom chat assistant --session test",
      description: "From a script",
    },
  ]),
)
