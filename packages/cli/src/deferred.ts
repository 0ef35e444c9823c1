/** Ties a declared command to the code that does it, which is loaded only when the command is called. */
import * as Effect from "effect/Effect"
import { exitCode, type ExitName } from "./ExitCode.ts"
import type { Refused } from "./Refused.ts"

/** What a command does: how it ended, or why it could not be done. */
export type Doing<Input> = (input: Input) => Effect.Effect<ExitName, Refused>

/** The exit code waits in the process until its output is written. */
export const deferred =
  <Input>(load: () => Promise<Doing<Input>>) =>
  (input: Input): Effect.Effect<void, Refused> =>
    Effect.flatMap(Effect.promise(load), (doing) =>
      Effect.map(doing(input), (name) => {
        process.exitCode = exitCode(name)
      }),
    )
