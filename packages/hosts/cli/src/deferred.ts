/** Connects a declared command to its handler, which is loaded only when the command is called. */
import * as Effect from "effect/Effect"
import { debug, ShowsStacks } from "./debugFlag.ts"
import { exitCode, type ExitName } from "./ExitCode.ts"
import type { Refused } from "./Refused.ts"
import { doing, quiet } from "./terminal/activity.ts"
import { chosenTrust } from "./trust/flags.ts"
import { guardState } from "./trust/stateLinks.ts"
import { TrustChoice } from "./trust/TrustChoice.ts"

/** Implementation of a command: succeeds with the exit name, or fails with a refusal. */
export type Handler<Input> = (input: Input) => Effect.Effect<ExitName, Refused>

/** Loads and runs the handler, then sets `process.exitCode`; the process ends after its output is written. */
export const deferred =
  <Input>(load: () => Promise<Handler<Input>>) =>
  (input: Input) =>
    Effect.gen(function* () {
      const choice = yield* chosenTrust
      doing("loading")
      const handler = yield* Effect.promise(load)
      const name = yield* Effect.andThen(guardState, handler(input)).pipe(
        Effect.provideService(TrustChoice, choice),
        Effect.provideService(ShowsStacks, yield* debug),
        Effect.ensuring(Effect.sync(quiet)),
      )
      process.exitCode = exitCode(name)
    })
