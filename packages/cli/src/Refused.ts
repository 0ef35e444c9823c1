/** Why a command cannot be done, in words for the person who typed it. Never printed with a stack. */
import * as Data from "effect/Data"
import type { ExitName } from "./ExitCode.ts"

export class Refused extends Data.TaggedError("Refused")<{
  readonly exit: ExitName
  /** One sentence; starts in lower case, has no full stop. */
  readonly message: string
  /** What to do about it; may have several lines. */
  readonly help?: string
}> {}

/** The command line asks for something that cannot be. */
export const usage = (message: string, help?: string): Refused =>
  new Refused({ exit: "usage", message, ...(help === undefined ? {} : { help }) })

/** The user's files stand in the way. */
export const problem = (message: string, help?: string): Refused =>
  new Refused({ exit: "problems", message, ...(help === undefined ? {} : { help }) })

/** A file that the command writes cannot be written. `what` is its subject and verb: "out.md cannot be written". */
export const unwritten = (what: string, error: unknown, help?: string): Refused =>
  new Refused({
    exit: "failed",
    message: `${what}: ${(error as Error).message}`,
    ...(help === undefined ? {} : { help }),
  })
