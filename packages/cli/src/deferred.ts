/** Ties a declared command to the code that does it, which is loaded only when the command is called. */
import * as Effect from "effect/Effect"
import { exitCode, type ExitName } from "./ExitCode.ts"
import type { Refused } from "./Refused.ts"
import { chosenTrust } from "./trust/flags.ts"
import { TrustChoice } from "./trust/TrustChoice.ts"

/** What a command does: how it ended, or why it could not be done. */
export type Doing<Input> = (input: Input) => Effect.Effect<ExitName, Refused>

/** The exit code waits in the process until its output is written. */
export const deferred =
  <Input>(load: () => Promise<Doing<Input>>) =>
  (input: Input) =>
    Effect.gen(function* () {
      const choice = yield* chosenTrust
      const doing = yield* Effect.promise(load)
      const name = yield* Effect.provideService(doing(input), TrustChoice, choice)
      process.exitCode = exitCode(name)
    })
