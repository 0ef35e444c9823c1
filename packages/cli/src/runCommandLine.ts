/** Parses a command line, does what it says, and ends the process with the right code. */
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { endProcess } from "./endProcess.ts"
import { exitCode, type ExitName } from "./ExitCode.ts"
import { presenter } from "./help/presenter.ts"
import { planloom } from "./planloom.ts"
import { Refused } from "./Refused.ts"
import { parserServices } from "./terminal/parserServices.ts"
import { refusalText } from "./terminal/refusalText.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"
import { print, say, stderr } from "./terminal/Screen.ts"

/** Help, version and completions; the wizard and log levels have no use here. */
const config = CliConfig.make({
  builtIns: [
    GlobalFlag.Help,
    GlobalFlag.Version,
    GlobalFlag.Completions,
  ] as unknown as CliConfig.CliConfig.Service["builtIns"],
})

/** Milliseconds after which somebody who pressed Ctrl-C wonders whether it was heard. */
const PATIENCE = 2000

/** Signals that end a command in good order, and what it ends with. */
const signals: ReadonlyArray<readonly [NodeJS.Signals, ExitName]> = [
  ["SIGHUP", "hangup"],
  ["SIGINT", "interrupted"],
  ["SIGTERM", "terminated"],
]

export const runCommandLine = (
  args: ReadonlyArray<string>,
  version: string,
  broken: (error: unknown) => void,
): void => {
  // The parser prints completions so.
  console.log = (text: unknown) => print(String(text))
  const program = Command.runWith(planloom, { version })(args).pipe(
    Effect.provideService(CliConfig.CliConfig, config),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provideContext(parserServices),
  )
  // A stage may wait for something that Node does not count as work; the process must not end on it.
  const alive = setInterval(() => {}, 2 ** 31 - 1)
  const fiber = Effect.runFork(program)
  let isEnding = false
  const interrupt = () => {
    if (isEnding) return
    isEnding = true
    fiber.interruptUnsafe()
    setTimeout(
      () => say("still ending what was begun; Ctrl-C again ends it at once"),
      PATIENCE,
    ).unref()
  }
  let signalled: NodeJS.Signals | undefined
  for (const [signal, name] of signals) {
    const code = exitCode(name)
    process.on(signal, () => {
      // A shell whose terminal is closed sends it, and so does the kernel.
      if (signal === "SIGHUP" && signalled === "SIGHUP") return
      if (signalled !== undefined) process.exit(code)
      signalled = signal
      process.exitCode = code
      interrupt()
    })
  }
  standardOutput.onGone(interrupt)
  standardError.onGone(interrupt)
  fiber.addObserver((exit) => {
    clearInterval(alive)
    if (Exit.isFailure(exit)) {
      const fault = settle(exit.cause)
      if (fault !== undefined) return broken(fault.error)
    }
    void endProcess(signalled !== undefined)
  })
}

/** Says why a command ended and sets the exit code; gives back what is our own fault. */
const settle = (cause: Cause.Cause<unknown>): { readonly error: unknown } | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason)) return { error: reason.defect }
  }
  for (const reason of cause.reasons) {
    if (!Cause.isFailReason(reason)) continue
    const { error } = reason
    if (error instanceof Refused) {
      say(refusalText(error, stderr.style))
      process.exitCode = exitCode(error.exit)
      return undefined
    }
    if (!CliError.isCliError(error)) return { error }
    // The presenter has spoken. Without errors it was a bare `planloom`, which is a call for help.
    const asked = error._tag === "ShowHelp" && error.errors.length === 0
    process.exitCode = exitCode(asked ? "ok" : "usage")
    return undefined
  }
  process.exitCode ??= exitCode("interrupted")
  return undefined
}
