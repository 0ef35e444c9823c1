/** Arguments and flags that the commands on recorded runs share. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { off, optional, out } from "./options.ts"

export const id = Argument.String("id").pipe(
  Argument.withDescription("Id of a run, or a unique prefix of it"),
)

export const idOrFile = Argument.String("id").pipe(
  Argument.withDescription("Id of a run, or a file with an exported run"),
)

export const by = optional(
  Flag.String("by"),
  "name",
  "Name of the person who resumes the run, for the record; default: the user of this machine",
)

export const display = {
  out: out("Folder to write the outputs to"),
  yes: off("yes", "Approve every tool that asks for approval"),
  json: off("json", "Print one JSON event per line and the result as the last line"),
  quiet: off("quiet", "No progress and no summary, only the outputs").pipe(Flag.withAlias("q")),
}
