/** Converts offsets to lines and columns. */
import type { Location } from "./Salvage.ts"

export class LocationIndex {
  private readonly text: string
  private starts: Array<number> | undefined

  constructor(text: string) {
    this.text = text
  }

  at(offset: number): Location {
    const starts = (this.starts ??= this.lines())
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { offset, line: low + 1, column: offset - starts[low]! + 1 }
  }

  private lines(): Array<number> {
    const starts = [0]
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1))
      starts.push(at + 1)
    return starts
  }
}
