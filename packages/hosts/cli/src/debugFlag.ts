/** Global flag that shows stack traces. */
import * as Context from "effect/Context"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"

/** `main` reads it, too, before the command line is parsed. */
export const debug = GlobalFlag.Setting("debug")({
  flag: Flag.Boolean("debug").pipe(
    Flag.withDescription("Show the stack trace of a defect of planloom or of a plugin"),
    Flag.withDefault(false),
    Flag.withoutNegation,
  ),
})

/** Whether reports print the stacks of components that threw. */
export const ShowsStacks = Context.Reference<boolean>("@planloom/cli/ShowsStacks", {
  defaultValue: () => false,
})
