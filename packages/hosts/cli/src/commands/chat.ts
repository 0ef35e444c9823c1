/** `planloom chat`: a session with a workflow at the terminal. */
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
      "The session to continue, or the name of a new one",
    ),
    continue: off("continue", "Continue the last session of this workflow").pipe(
      Flag.withAlias("c"),
    ),
    ...inputs,
    messageInput: optional(
      Flag.String("message-input"),
      "name",
      "The input that takes the message; by default the one that `session.request` reads",
    ),
    yes: off("yes", "Approve every tool that asks for approval"),
    json: off(
      "json",
      "Read one message per line; print one JSON event per line and a result after each turn",
    ),
    store: Flag.Boolean("store").pipe(
      Flag.withDescription(
        "Record the session and its runs in the project's store, .planloom/runs.db by default; --no-store keeps them until you leave",
      ),
      Flag.withDefault(undefined),
    ),
    ...cassette,
    ...reading,
  },
  deferred(async () => (await import("../chat/chat.ts")).chat),
).pipe(
  Command.withDescription(
    "Chat with a workflow that declares a `session:`. Outputs are shown as soon as they are ready; questions and approvals are asked in between. Ctrl-C cancels the turn; press it twice to leave. On a pipe each line of standard input is a message.",
  ),
  Command.withShortDescription("Chat with a workflow"),
  Command.withExamples([
    { command: "planloom chat assistant" },
    { command: "planloom chat assistant --continue", description: "Continue the last session" },
    {
      command: "printf 'hello\\nand now?\\n' | planloom chat assistant --session test",
      description: "From a script",
    },
  ]),
)
