/** `planloom sessions`: the conversations that are kept: look, and forget. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, limit } from "./options.ts"

const id = Argument.String("id").pipe(
  Argument.withDescription("A session, or as much of the beginning of its id as names one"),
)

const list = Command.make(
  "list",
  { limit, json },
  deferred(async () => (await import("../sessions/listSessions.ts")).listSessions),
).pipe(Command.withDescription("List sessions, the one that was talked in last first."))

const show = Command.make(
  "show",
  { id, json },
  deferred(async () => (await import("../sessions/showSession.ts")).showSession),
).pipe(
  Command.withDescription(
    "Show what a session keeps: its last turns, its state, and whether it waits for an answer.",
  ),
)

const clear = Command.make(
  "clear",
  { id, json },
  deferred(async () => (await import("../sessions/clearSession.ts")).clearSession),
).pipe(
  Command.withDescription(
    "Forget what a session keeps; its runs stay. `planloom runs prune --older-than` forgets sessions by age.",
  ),
  Command.withShortDescription("Forget what a session keeps"),
)

export const sessions = Command.make("sessions").pipe(
  Command.withDescription("Look at the conversations that are kept, and forget them."),
  Command.withSubcommands([list, show, clear]),
)
