/** Where messages come from and where answers go: a terminal, or a pipe. */
import type { Json, RunEvent, SessionTurn, Wait } from "@planloom/plugin"
import type { RunResult } from "@planloom/core"

export interface Talk {
  /** The next message; undefined when nobody says anything any more. */
  readonly next: () => Promise<string | undefined>
  /** Puts a question of the run; undefined when nobody can say. Gives up when `signal` aborts. */
  readonly ask: (wait: Wait, signal: AbortSignal) => Promise<Json | undefined>
  /** A turn begins, which `cancel` ends. */
  readonly begin: (cancel: () => void) => void
  readonly hear: (event: RunEvent) => void
  /** The turn has ended so. */
  readonly end: (result: RunResult) => void
  /** Something about the conversation itself. */
  readonly say: (text: string) => void
  /** The same while somebody may be typing, or a turn be under way. */
  readonly aside: (text: string) => void
  /** Shows what was said before. */
  readonly recall: (turns: ReadonlyArray<SessionTurn>) => void
  readonly close: () => void
}
