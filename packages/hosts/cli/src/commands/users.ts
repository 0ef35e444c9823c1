/** `planloom users`: erases users. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, off } from "./options.ts"

const forget = Command.make(
  "forget",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The `id` of the user")),
    runs: off(
      "runs",
      "Erase the runs of the user, too: inputs, prompts, replies, results of tools and files, also from the file of the store",
    ),
    json,
  },
  deferred(async () => (await import("../users/forgetUser.ts")).forgetUser),
).pipe(
  Command.withDescription(
    "Erase a user: delete the sessions of their runs, their kept variants of experiments, their items in the review queue, the digests of their personal inputs, so that a run with some cannot be resumed, and the passages about them in libraries with `user`. Runs stay until they are pruned, unless --runs is given; repeat the command if it was interrupted.",
  ),
  Command.withShortDescription("Erase a user from sessions, experiments, reviews and libraries"),
)

export const users = Command.make("users").pipe(
  Command.withDescription("Erase users."),
  Command.withSubcommands([forget]),
)
