/** `planloom sessions`: lists, shows and deletes recorded sessions. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, limit } from "./options.ts"

const id = Argument.String("id").pipe(
  Argument.withDescription("Id of a session, or a unique prefix of it"),
)

const list = Command.make(
  "list",
  { limit, json },
  deferred(async () => (await import("../sessions/listSessions.ts")).listSessions),
).pipe(Command.withDescription("List sessions, the most recently used first."))

const show = Command.make(
  "show",
  { id, json },
  deferred(async () => (await import("../sessions/showSession.ts")).showSession),
).pipe(
  Command.withDescription(
    "Show a session: its last turns, its state, and whether it waits for an answer.",
  ),
)

const clear = Command.make(
  "clear",
  { id, json },
  deferred(async () => (await import("../sessions/clearSession.ts")).clearSession),
).pipe(
  Command.withDescription(
    "Delete the turns and state of a session; its runs stay. `planloom runs prune --older-than` deletes sessions by age.",
  ),
  Command.withShortDescription("Delete the turns and state of a session"),
)

export const sessions = Command.make("sessions").pipe(
  Command.withDescription("List, show and delete recorded sessions."),
  Command.withSubcommands([list, show, clear]),
)
