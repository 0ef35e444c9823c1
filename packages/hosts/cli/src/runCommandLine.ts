/** Parses a command line, runs its command, handles signals, and ends the process with its exit code. */
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
import { completionScript } from "./help/completionScript.ts"
import { presenter } from "./help/presenter.ts"
import { planloom } from "./planloom.ts"
import { Refused } from "./Refused.ts"
import { parserServices } from "./terminal/parserServices.ts"
import { refusalText } from "./terminal/refusalText.ts"
import { standardError, standardOutput } from "./terminal/Output.ts"
import { print, say, stderr } from "./terminal/Screen.ts"

/** Built-in flags: help, version and completions, without the wizard and log levels. */
const config = CliConfig.make({
  builtIns: [
    GlobalFlag.Help,
    GlobalFlag.Version,
    GlobalFlag.Completions,
  ] as unknown as CliConfig.CliConfig.Service["builtIns"],
})

/** How long a command may take to end after Ctrl-C before a note is printed. */
const SLOW_END_MS = 2000

/** Signals that interrupt a command, each with its exit name. */
const signals: ReadonlyArray<readonly [NodeJS.Signals, ExitName]> = [
  ["SIGHUP", "hangup"],
  ["SIGINT", "interrupted"],
  ["SIGTERM", "terminated"],
]

export const runCommandLine = (
  args: ReadonlyArray<string>,
  version: string,
  onDefect: (error: unknown) => void,
): void => {
  // The parser prints completions with console.log.
  console.log = (text: unknown) => print(completionScript(String(text)))
  const program = Command.runWith(planloom, { version })(args).pipe(
    Effect.provideService(CliConfig.CliConfig, config),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provideContext(parserServices),
  )
  // A stage may wait for something that does not keep Node's event loop alive; the timer does.
  const alive = setInterval(() => {}, 2 ** 31 - 1)
  const fiber = Effect.runFork(program)
  let isEnding = false
  const interrupt = () => {
    if (isEnding) return
    isEnding = true
    fiber.interruptUnsafe()
    setTimeout(
      () => say("still finishing the current work; press Ctrl-C again to end immediately"),
      SLOW_END_MS,
    ).unref()
  }
  let signalled: NodeJS.Signals | undefined
  for (const [signal, name] of signals) {
    const code = exitCode(name)
    process.on(signal, () => {
      // When a terminal is closed, both the shell and the kernel send SIGHUP.
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
      const defect = reportFailure(exit.cause)
      if (defect !== undefined) return onDefect(defect.error)
    }
    void endProcess(signalled !== undefined)
  })
}

/** Reports why a command failed and sets the exit code; returns the error if it is a defect. */
const reportFailure = (cause: Cause.Cause<unknown>): { readonly error: unknown } | undefined => {
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
    // The presenter has printed the errors. Without errors it was a bare `planloom`, which prints help.
    const asked = error._tag === "ShowHelp" && error.errors.length === 0
    process.exitCode = exitCode(asked ? "ok" : "usage")
    return undefined
  }
  process.exitCode ??= exitCode("interrupted")
  return undefined
}
