/** Source of chat messages and sink for answers: a terminal or a pipe. */
import type { Json, Part, RunEvent, SessionTurn, Wait } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"

export interface ChatChannel {
  /** Reads the next message; undefined at the end of input. */
  readonly next: () => Promise<string | undefined>
  /** Asks a question of the run; undefined without an answer. Stops asking when `signal` aborts. */
  readonly ask: (wait: Wait, signal: AbortSignal) => Promise<Json | undefined>
  /** Called when a turn starts; `cancel` ends the turn. */
  readonly begin: (cancel: () => void) => void
  /** Called for each event of the turn's run. */
  readonly onEvent: (event: RunEvent) => void
  /** Called with the parts of streamed outputs; absent if the channel shows whole outputs only. */
  readonly onPart?: ((part: Part) => void) | undefined
  /**
   * Called when the outputs have left and only later reviews remain: from then on the next message may be read, and
   * events and the result of the turn may arrive meanwhile. A channel without it reads once the turn has ended.
   */
  readonly review?: () => void
  /** Called when a message waits for the reviews of the turn before; `cancel` drops the message. */
  readonly hold?: (cancel: () => void) => void
  /** Called with the result of the turn. */
  readonly end: (result: RunResult) => void
  /** Prints a message about the session itself. */
  readonly say: (text: string) => void
  /** Prints a message while the user may be typing or a turn may be running. */
  readonly aside: (text: string) => void
  /** Shows earlier turns. */
  readonly recall: (turns: ReadonlyArray<SessionTurn>) => void
  readonly close: () => void
}
