/** Shows streamed outputs on a terminal while they are written: one at a time, the others once that is complete. */
import type { JsonObject, Part } from "@planloom/plugin/effect"
import type { Screen } from "../terminal/Screen.ts"
import { TextStream } from "../terminal/TextStream.ts"

interface Surroundings {
  readonly screen: Screen
  /** Before each row. */
  readonly indent: string
  /** Cells of a row. */
  readonly width: () => number
  /** Called before the first text and after the last: nothing else may draw in between. */
  readonly hide: () => void
  readonly show: () => void
  /** Called with a note that text on the screen is void. */
  readonly note: (text: string) => void
}

export class StreamedOutputs {
  private readonly around: Surroundings
  private readonly texts = new Map<string, string>()
  /** Outputs whose whole text is on the screen. */
  private readonly shown = new Set<string>()
  private current: { readonly output: string; readonly stream: TextStream } | undefined

  constructor(around: Surroundings) {
    this.around = around
  }

  readonly onPart = (part: Part): void => {
    const { output } = part
    const isCurrent = this.current?.output === output
    switch (part.type) {
      case "text":
        this.texts.set(output, (this.texts.get(output) ?? "") + part.text)
        if (isCurrent) this.current!.stream.write(part.text)
        else if (this.current === undefined) this.begin(output)
        return
      case "reset":
        this.texts.delete(output)
        if (isCurrent && !this.current!.stream.erase()) {
          this.around.note(`rewritten (${part.cause}):`)
        }
        return
      case "settled":
        if (!isCurrent) return
        this.shown.add(output)
        this.end()
        this.next()
        return
      case "value":
    }
  }

  /** Whether a text is being written to the screen. */
  get isWriting(): boolean {
    return this.current !== undefined
  }

  /** Ends the row before other output. */
  interrupt(): void {
    this.current?.stream.end()
  }

  /** Ends a text that will not be completed. */
  stop(): void {
    if (this.current !== undefined) this.end()
  }

  /** The outputs that are not on the screen. */
  rest(outputs: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => !this.shown.has(name)))
  }

  has(output: string): boolean {
    return this.shown.has(output) || this.current?.output === output
  }

  private begin(output: string): void {
    const { hide, indent, screen, width } = this.around
    hide()
    const stream = new TextStream(screen, indent, width)
    this.current = { output, stream }
    stream.write(this.texts.get(output) ?? "")
  }

  private end(): void {
    this.current?.stream.end()
    this.current = undefined
    this.around.show()
  }

  /** Another output that is being written, too. */
  private next(): void {
    for (const [output, text] of this.texts) {
      if (this.shown.has(output) || text === "") continue
      return this.begin(output)
    }
  }
}
