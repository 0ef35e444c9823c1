/** Notes for the user that a chat has shown, such as the agent in charge: one that did not change is not shown again. */
import type { RunEvent } from "@planloom/plugin/effect"

/** Notes on what is done now: each time counts. */
const actions: ReadonlySet<string> = new Set(["thinking"])

export class ShownNotes {
  /** The last text of each note, by its name. */
  private readonly texts = new Map<string, string>()

  /** Whether the event is a note with the text that was shown last; remembers a new one. */
  has(event: RunEvent): boolean {
    if (event.type !== "Noted" || event.audience !== "user") return false
    const { note, text = "" } = event
    if (actions.has(note)) return false
    const isShown = this.texts.get(note) === text
    this.texts.set(note, text)
    return isShown
  }
}
