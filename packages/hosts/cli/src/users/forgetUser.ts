/** Implements `planloom users forget`: erases a user from sessions, kept assignments, the review queue, digests and libraries. */
import { forgetInFolder, type ForgottenIn } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { attempt } from "../documents/withLibraries.ts"
import { chosenStore, openExistingRuns } from "../run/projectRuns.ts"
import { withRuns } from "../runs/withRuns.ts"
import { noteAudit } from "../audit/noteAudit.ts"
import { problem } from "../Refused.ts"
import { countsOf, digestOf, forgetInRuns, NO_RUNS, type ForgottenRuns } from "./eraseUser.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"

export interface ForgetFlags {
  readonly id: string
  readonly runs: boolean
  readonly json: boolean
}

export const forgetUser: Handler<ForgetFlags> = ({ id, json, runs: withTheirRuns }) =>
  Effect.gen(function* () {
    const { root } = yield* chosenStore("")
    const libraries = yield* attempt(() => forgetInFolder(root, id))
    // A project may have libraries without any recorded run.
    const runs =
      libraries.length === 0 || (yield* hasRuns)
        ? yield* withRuns((store) => forgetInRuns(store, id, withTheirRuns))
        : NO_RUNS
    const passages = libraries.reduce((sum, one) => sum + one.passages, 0)
    yield* noteAudit({
      action: "user_erased",
      about: { ...digestOf(id), ...countsOf(runs), passages },
    })
    if (json) print(JSON.stringify({ user: id, ...runs, libraries }))
    else {
      if (runs !== NO_RUNS) say(runsText(runs, id, withTheirRuns))
      for (const one of libraries) say(libraryText(one))
    }
    if (runs.active_runs.length === 0) return "ok" as ExitName
    return yield* problem(
      `${counted(runs.active_runs.length, "run")} of the user stay, because a process works on them: ${runs.active_runs.join(", ")}`,
      "cancel them with planloom runs cancel, and repeat the command",
    )
  })

/** A store that cannot be opened is one. */
const hasRuns = Effect.scoped(openExistingRuns("")).pipe(
  Effect.map((store) => store !== undefined),
  Effect.catchTag("StoreFailed", () => Effect.succeed(true)),
)

const runsText = (runs: ForgottenRuns, id: string, withTheirRuns: boolean): string =>
  [
    `erased ${counted(runs.sessions.length, "session")}, ${counted(runs.assignments.length, "assignment")}, ${counted(runs.reviews.length, "review")} and the digests of personal inputs in ${counted(runs.personal_inputs.length, "run")} of the user ${id}`,
    withTheirRuns
      ? `erased ${counted(runs.runs.length, "run")} with inputs, prompts, replies and files`
      : "the runs of the user stay until they are pruned; --runs erases them",
  ].join("\n")

const libraryText = ({ files, library, passages }: ForgottenIn): string =>
  oneLine(
    `erased ${counted(passages, "passage")} of the library ${library}; delete them in ${files.join(", ")}, too, or a change of the file brings them back`,
  )

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
