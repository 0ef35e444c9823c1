/** Splits the output of a server into lines of a limited length. */

export class LineTooLong extends Error {}

const NEWLINE = 0x0a

export class LineReader {
  private readonly most: number
  /** Parts of the line that has not ended. */
  private parts: Array<Buffer> = []
  private size = 0

  constructor(most: number) {
    this.most = most
  }

  /** The lines that end in this part. Throws `LineTooLong` once a line is longer than the limit, in bytes. */
  read(chunk: Buffer): ReadonlyArray<string> {
    const lines: Array<string> = []
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      const rest = chunk.subarray(from, end < 0 ? chunk.length : end)
      this.size += rest.length
      if (this.size > this.most) {
        this.parts = []
        throw new LineTooLong()
      }
      if (end < 0) {
        if (rest.length > 0) this.parts.push(rest)
        return lines
      }
      lines.push(
        this.parts.length === 0 ? rest.toString() : Buffer.concat([...this.parts, rest]).toString(),
      )
      this.parts = []
      this.size = 0
      from = end + 1
    }
  }
}
