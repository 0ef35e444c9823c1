/** What `planloom dev` shows: the run in progress, the last edit, problems, questions and keys. */
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import { editJson } from "./loop/editJson.ts"
import type { Edit } from "./loop/Edit.ts"
import type { Definition } from "@planloom/language"
import * as Effect from "effect/Effect"
import type { ExitName } from "../ExitCode.ts"
import type { LiveView } from "../progress/LiveView.ts"
import { viewOf } from "../progress/viewOf.ts"
import { printProblems, type Problems } from "../project/withWorkflow.ts"
import type { Refused } from "../Refused.ts"
import { askQuestions } from "../run/answer/askQuestions.ts"
import type { AnswerNow } from "../run/Prompts.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { confirm } from "../terminal/confirm.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { refusalText } from "../terminal/refusalText.ts"
import type { DevFlags } from "./DevFlags.ts"
import { editText } from "./editText.ts"
import type { Keys } from "./Keys.ts"

/** Lines of a difference or output in the short form. */
const SHORT_LINES = 8

const CLEAR = "\u001b[H\u001b[2J"

export class DevScreen {
  readonly answer: AnswerNow
  private readonly keys: Keys
  private readonly flags: DevFlags
  private view: LiveView | undefined
  private edit: Edit | undefined
  private isWhole = false

  constructor(keys: Keys, flags: DevFlags) {
    this.keys = keys
    this.flags = flags
    this.answer = askQuestions(flags.allowWrites, this.canAsk ? this.aside : undefined).answer
  }

  /** Asks before a tool changes something. Without a terminal only `--allow-writes` permits it. */
  readonly mayWrite = ({
    params,
    path,
    tool,
  }: {
    readonly tool: string
    readonly params: JsonObject
    readonly path: string
  }): Effect.Effect<boolean> =>
    this.flags.allowWrites || !this.canAsk
      ? Effect.succeed(this.flags.allowWrites)
      : Effect.promise((signal) =>
          this.aside(() =>
            mayRun(
              `${path} calls ${tool}, which changes something: ${JSON.stringify(params)}`,
              signal,
            ),
          ),
        )

  /** Shows a run while it is under way. */
  begin(
    definition: Pick<Definition, "stages" | "name">,
    saved: ReadonlyArray<string>,
  ): Effect.Effect<{ readonly onEvent: (event: RunEvent) => void; readonly end: () => void }> {
    return Effect.map(this.flags.json ? Effect.undefined : viewOf(definition), (view) => {
      this.view = view
      if (view !== undefined) {
        this.clear()
        say(stderr.style.dim(`${definition.name}  ${saved.length === 0 ? "runs" : "runs again"}`))
        view.start()
      }
      return {
        onEvent: (event) => view?.push(event),
        end: () => {
          view?.hide()
          this.view = undefined
        },
      }
    })
  }

  show(edit: Edit, afterSave: number | undefined): void {
    this.edit = edit
    this.isWhole = false
    if (this.flags.json) return print(editJson(edit, afterSave))
    this.draw()
  }

  /** The problems of the files, below the last run without any. */
  showProblems(problems: Problems): Effect.Effect<ExitName> {
    if (this.flags.json) {
      print(JSON.stringify({ problems: problems.diagnostics }))
      return Effect.succeed("problems")
    }
    if (this.edit !== undefined && stdout.live) this.draw()
    return printProblems(problems)
  }

  showRefused(refused: Refused): void {
    if (this.flags.json) return print(JSON.stringify({ refused: refused.message }))
    if (this.edit !== undefined && stdout.live) this.draw()
    say(refusalText(refused, stderr.style))
  }

  /** Shows the whole difference, or the short form again. */
  toggleDiff(): void {
    if (this.edit === undefined) return
    this.isWhole = !this.isWhole
    this.draw()
  }

  note(text: string): void {
    say(wrap(text, textWidth(stderr)).join("\n"))
  }

  showKeys(hasRun: boolean): void {
    if (this.flags.json || !stdout.live || process.stdin.isTTY !== true) return
    const { dim, name } = stdout.style
    const key = (one: string, does: string) => `${name(one)} ${dim(does)}`
    print(
      [
        "",
        [
          ...(hasRun
            ? [key("a", "accept as a test"), key("d", this.isWhole ? "short" : "diff")]
            : []),
          key("r", "run without memory"),
          key("q", "quit"),
        ].join("   "),
      ].join("\n"),
    )
  }

  private draw(): void {
    this.clear()
    const lines = this.isWhole ? {} : { lines: SHORT_LINES }
    const look = { style: stdout.style, width: textWidth(stdout) - 1, ...lines }
    print(`${editText(this.edit!, look)}${stdout.live ? "" : "\n\n"}`)
  }

  private clear(): void {
    if (stdout.live) stdout.write(CLEAR)
  }

  private get canAsk(): boolean {
    return !this.flags.json && stdout.live && process.stdin.isTTY === true
  }

  private readonly aside = <A>(ask: () => Promise<A>): Promise<A> => {
    const asked = () => this.keys.aside(ask)
    return this.view === undefined ? asked() : this.view.aside(asked)
  }
}

const mayRun = (question: string, signal: AbortSignal): Promise<boolean> => {
  say(wrap(visible(oneLine(question)), textWidth(stderr)).join("\n"))
  return confirm("  run it?", signal)
}
