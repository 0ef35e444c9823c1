/** The failure of a command, with a message for the user. Never printed with a stack trace. */
import * as Data from "effect/Data"
import type { ExitName } from "./ExitCode.ts"

export class Refused extends Data.TaggedError("Refused")<{
  readonly exit: ExitName
  /** One sentence; starts in lower case, has no full stop. */
  readonly message: string
  /** How to fix it; may have several lines. */
  readonly help?: string
}> {}

/** Refusal of a wrong command line. */
export const usage = (message: string, help?: string): Refused =>
  new Refused({ exit: "usage", message, ...(help === undefined ? {} : { help }) })

/** Refusal because of the user's files. */
export const problem = (message: string, help?: string): Refused =>
  new Refused({ exit: "problems", message, ...(help === undefined ? {} : { help }) })

/** Refusal because a file cannot be written. `what` is its subject and verb: "out.md cannot be written". */
export const unwritten = (what: string, error: unknown, help?: string): Refused =>
  new Refused({
    exit: "failed",
    message: `${what}: ${(error as Error).message}`,
    ...(help === undefined ? {} : { help }),
  })
