/** Implements `planloom run`: loads and runs a workflow, shows its progress, writes its outputs, reports its result. */
import type { JsonObject, Part, RunEvent } from "@planloom/plugin/effect"
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Cassette, RunResult } from "@planloom/core"
import type { InputFlags, ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withLoaded } from "../project/withWorkflow.ts"
import { usage, type Refused } from "../Refused.ts"
import type { LiveView } from "../progress/LiveView.ts"
import { viewOf } from "../progress/viewOf.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { wrap } from "../terminal/text.ts"
import { askQuestions } from "./answer/askQuestions.ts"
import type { AnswerNow, Prompts } from "./Prompts.ts"
import { Stacks } from "./Stacks.ts"
import {
  calledNoModel,
  degradedText,
  exitOf,
  failureText,
  notesText,
  usageText,
} from "./resultText.ts"
import { readInputs } from "./inputs.ts"
import { withNamedFiles } from "./namedFiles.ts"
import { printListFailure, printUserNote } from "./printNotes.ts"
import { readUser } from "./readUser.ts"
import { withRecording, type Loaded, type RunRecording } from "./recording.ts"
import { telemetryOf } from "./telemetry.ts"
import { withCassette, type CassetteFlags } from "./withCassette.ts"
import { correctionText } from "./correctionText.ts"
import { StreamedOutputs } from "./StreamedOutputs.ts"
import { showOutputs } from "./outputs.ts"
import { resumeNeeds } from "../runs/personalInputs.ts"
import { resetCommand, resumeCommand } from "./answer/waitText.ts"
import { writeOutputs } from "./writeOutputs.ts"

export interface RunFlags extends InputFlags, ReadingFlags, CassetteFlags {
  readonly workflow: string
  readonly out: string | undefined
  readonly yes: boolean
  readonly json: boolean
  readonly quiet: boolean
  /** Undefined: record the run if possible. */
  readonly store: boolean | undefined
  /** The session that the run is a turn of. */
  readonly session: string | undefined
}

export const runWorkflow: Handler<RunFlags> = (flags) =>
  withLoaded(
    flags.workflow,
    flags,
    (loaded) =>
      Effect.flatMap(
        readInputs(loaded.definition.name, loaded.definition.inputs, flags),
        (inputs) =>
          Effect.flatMap(withNamedFiles(loaded, inputs, flags), (named) =>
            withCassette(flags, loaded, (cassette) =>
              // A run with a cassette is not recorded: its calls are on the cassette.
              withRecording(
                cassette === undefined ? named.flags : { ...named.flags, store: false },
                loaded,
                (recording) => runLoaded(named.loaded, inputs, { ...flags, cassette }, recording),
              ),
            ),
          ),
      ),
    ...(flags.json ? [invalidAsLine] : []),
  )

/** Options for the display and the outputs of a run. */
export interface DisplayFlags extends Pick<
  RunFlags,
  "json" | "out" | "quiet" | "userText" | "yes"
> {
  readonly cassette?: Cassette | undefined
}

/** Runs a loaded workflow. An interrupt cancels only the run: its result is still reported. */
export const runLoaded = (
  loaded: Loaded,
  inputs: JsonObject,
  flags: DisplayFlags,
  recording: RunRecording | undefined,
): Effect.Effect<ExitName, Refused> =>
  Effect.flatMap(readUser(loaded, flags), (user) => {
    let isUnrecorded = false
    const watched: RunRecording | undefined = recording && {
      ...recording,
      options: {
        ...recording.options,
        onUnrecorded: (failure) => {
          isUnrecorded = true
          recording.options.onUnrecorded?.(failure)
        },
      },
    }
    const exit = flags.json
      ? runAsLines(loaded, { inputs, user }, flags, watched)
      : runForPerson(loaded, { inputs, user }, flags, watched)
    return Effect.uninterruptible(
      Effect.map(exit, (name) => (name === "ok" && isUnrecorded ? "failed" : name)),
    )
  })

/** What a run is given. */
interface Given {
  readonly inputs: JsonObject
  readonly user: JsonObject | undefined
}

/** Prints each event as a JSON line, then the result as the last line. */
const runAsLines = (
  loaded: Loaded,
  given: Given,
  flags: DisplayFlags,
  recording: RunRecording | undefined,
) =>
  Effect.gen(function* () {
    const result = yield* runToEnd(loaded, given, {
      answer: askQuestions(flags.yes, undefined).answer,
      recording,
      cassette: flags.cassette,
      onEvent: (event) => print(JSON.stringify(event)),
      onPart: (part) => print(JSON.stringify({ type: "Part", part })),
    })
    const exit = exitOf(result)
    print(JSON.stringify({ type: "Result", ...result }))
    const { run } = result
    if (flags.out !== undefined)
      yield* writeOutputs(result.outputs, { run, folder: flags.out, roots: loaded.pipeline.roots })
    return exit
  })

const invalidAsLine = ({
  diagnostics,
}: {
  readonly diagnostics: ReadonlyArray<unknown>
}): Effect.Effect<ExitName> =>
  Effect.sync(() => {
    print(JSON.stringify({ type: "Invalid", diagnostics }))
    return "problems"
  })

const runForPerson = (
  loaded: Loaded,
  given: Given,
  flags: DisplayFlags,
  recording: RunRecording | undefined,
) =>
  Effect.gen(function* () {
    const view = flags.quiet ? undefined : yield* viewOf(loaded.definition)
    const watched = view !== undefined
    const streamed = view === undefined ? undefined : streamedAbove(view)
    const printed = new Set<string>()
    const stacks = new Stacks()
    const prompts = askQuestions(flags.yes, view?.aside.bind(view))
    for (const event of recording?.earlier ?? []) view?.push(event)
    view?.start()
    const result = yield* Effect.ensuring(
      runToEnd(loaded, given, {
        answer: prompts.answer,
        cassette: flags.cassette,
        recording,
        onPart: streamed?.onPart,
        onEvent: stacks.before(
          view === undefined
            ? flags.quiet
              ? undefined
              : printUserNote
            : shownAbove(view, prompts, printEarlyOutputs(view, streamed!, printed)),
        ),
      }),
      Effect.sync(() => {
        streamed?.stop()
        view?.stop()
      }),
    )
    if (watched) say(stderr.style.dim(wrap(usageText(result), textWidth(stderr)).join("\n")))
    const exit = exitOf(result)
    if (!flags.quiet) {
      printDegraded(result)
      if (!watched) printNotes(result)
    }
    const needs = exit === "ok" || recording === undefined ? [] : yield* needsOf(recording, result)
    if (exit === "interrupted") {
      say(stderr.style.warn("the run was cancelled"))
      if (recording !== undefined) say(`  help: resume it: ${resumeCommand(result.run, needs)}`)
    } else if (exit !== "ok") {
      say(failureText(result, stderr.style, textWidth(stderr), needs))
      if (result.status === "failed" && recording !== undefined && !flags.quiet)
        say(stderr.style.dim(`  run it again from there: ${resetCommand(result.run, needs)}`))
    }
    yield* stacks.print(result)
    if (exit !== "ok") return exit
    const written = yield* Effect.result(
      writeOutputs(result.outputs, {
        // All runs with a cassette have the same id.
        run: flags.cassette === undefined ? result.run : crypto.randomUUID(),
        folder: flags.out,
        roots: loaded.pipeline.roots,
      }),
    )
    const files = written._tag === "Success" ? written.success : new Map<string, string>()
    const text = outputsText(streamed?.rest(result.outputs) ?? result.outputs, files, printed)
    if (text !== "") print(watched ? `\n${text}` : text)
    // Outputs are shown even if they cannot be written: the run may have cost time and money.
    return written._tag === "Success" ? exit : yield* written.failure
  })

/** The flags that a resume needs; none if the store cannot be read, which the run has reported. */
const needsOf = ({ options: { store } }: RunRecording, { run }: RunResult) =>
  Effect.orElseSucceed(resumeNeeds(store, run), (): ReadonlyArray<string> => [])

const printDegraded = (result: RunResult): void => {
  const text = degradedText(result, stderr.style, textWidth(stderr))
  if (text !== undefined) say(text)
}

/** Prints what the view would show beside its stages. */
const printNotes = (result: RunResult): void => {
  const text = notesText(result, stderr.style, textWidth(stderr))
  if (text !== undefined) say(text)
  if (calledNoModel(result)) say(stderr.style.dim("no model call"))
}

/** Prints outputs above the view as soon as they are ready; adds their names to `printed`. */
const printEarlyOutputs =
  (view: LiveView, streamed: StreamedOutputs, printed: Set<string>) =>
  (event: RunEvent): void => {
    view.push(event)
    const isCorrected = event.type === "OutputCorrected"
    if (isCorrected) {
      streamed.interrupt()
      view.printAbove(() => say(correctionText(event, stderr.style)))
    }
    if ((!isCorrected && event.type !== "OutputReady") || streamed.has(event.name)) return
    printed.add(event.name)
    const value = isCorrected ? (event.text ?? "") : event.value
    const text = outputsText({ [event.name]: value }, new Map(), new Set())
    if (text === "") return
    streamed.interrupt()
    view.printAbove(() => print(`${text}\n\n`))
  }

/** Also prints which answer counts when it was not typed here, and tool sources that cannot list their tools. */
const shownAbove =
  (view: LiveView, prompts: Prompts, show: (event: RunEvent) => void) =>
  (event: RunEvent): void => {
    show(event)
    if (event.type === "ToolListFailed") view.printAbove(() => printListFailure(event))
    const text = prompts.overruled(event)
    if (text !== undefined) view.printAbove(() => say(`  ${stderr.style.warn(text)}`))
  }

/** Streamed outputs take the place of the view while they are written. */
const streamedAbove = (view: LiveView): StreamedOutputs =>
  new StreamedOutputs({
    screen: stdout,
    indent: "",
    width: () => textWidth(stdout),
    hide: () => view.hide(),
    show: () => {
      print("")
      view.show()
    },
    note: (text) => say(stderr.style.dim(text)),
  })

const outputsText = (
  outputs: JsonObject,
  files: ReadonlyMap<string, string>,
  printed: ReadonlySet<string>,
): string =>
  showOutputs(
    Object.fromEntries(Object.entries(outputs).filter(([name]) => !printed.has(name))),
    files,
    { style: stdout.style, width: textWidth(stdout) },
  )

/**
 * Returns the result of every outcome. If this fiber is interrupted, the run is cancelled, its `finally`
 * stages run, and the result has the status `cancelled`.
 */
const runToEnd = (
  loaded: Loaded,
  { inputs, user }: Given,
  options: {
    readonly answer: AnswerNow
    readonly recording: RunRecording | undefined
    readonly cassette: Cassette | undefined
    readonly onEvent?: (event: RunEvent) => void
    readonly onPart?: ((part: Part) => void) | undefined
  },
): Effect.Effect<RunResult, Refused> =>
  Effect.gen(function* () {
    const { RunFold, run } = yield* Effect.promise(() => import("@planloom/core"))
    const { recording } = options
    const fold = new RunFold()
    for (const event of recording?.earlier ?? []) fold.push(event)
    const exit = yield* Effect.exit(
      Effect.interruptible(
        run(loaded.pipeline, inputs, {
          user,
          answer: options.answer,
          secrets: loaded.secrets,
          ...(yield* telemetryOf(loaded)),
          ...(recording === undefined ? {} : recording.options),
          ...(options.cassette === undefined ? {} : { cassette: options.cassette }),
          onEvent: (event) => {
            fold.push(event)
            options.onEvent?.(event)
          },
          ...(options.onPart === undefined ? {} : { onPart: options.onPart }),
        }),
      ),
    )
    if (Exit.isSuccess(exit)) return exit.value
    const error = Exit.findErrorOption(exit)
    if (error._tag === "Some" && error.value._tag === "InputsRejected") {
      const { message, subject } = error.value
      return yield* usage(
        message,
        subject === "inputs" ? "planloom types shows the types of the inputs" : undefined,
      )
    }
    const result = fold.result()
    if (result.status === "running") return yield* Effect.failCause(exit.cause as Cause<never>)
    return result
  }).pipe(Effect.scoped)
