/**
 * Counts the bytes of a response, after decompression, and divides streams into lines. The text in the parts of a
 * stream is counted where the parts are read.
 */

/** Ratio of a stream's bytes to the text in its parts: the fields around every token. */
const STREAM_OVERHEAD_FACTOR = 16
const NEW_LINE = 10
const COLON = 58

export class ReplyBytes {
  /** A whole body, a line of a stream, or the lines of a stream without data are too large. */
  exceedsLimit = false
  private readonly isStream: boolean
  private readonly maxBytes: number
  private bytes = 0
  private lineBytes = 0
  private bytesWithoutData = 0
  private startsLine = true
  private isComment = false
  private held: Array<Uint8Array> = []

  constructor(headers: Headers, maxBytes: number) {
    this.isStream = /event-stream|ndjson/.test(headers.get("content-type") ?? "")
    this.maxBytes = maxBytes
  }

  /**
   * Bytes that may be read now: of a stream up to its last line break, because SDKs search an incomplete line from its
   * start with every chunk.
   */
  push(chunk: Uint8Array): ReadonlyArray<Uint8Array> {
    this.bytes += chunk.length
    if (!this.isStream) {
      this.exceedsLimit = this.bytes > this.maxBytes
      return this.exceedsLimit ? [] : [chunk]
    }
    this.readLines(chunk)
    this.exceedsLimit =
      this.bytes > this.maxBytes * STREAM_OVERHEAD_FACTOR ||
      this.lineBytes > this.maxBytes ||
      this.bytesWithoutData > this.maxBytes
    if (this.exceedsLimit) return []
    const end = chunk.lastIndexOf(NEW_LINE) + 1
    if (end === 0) {
      this.held.push(chunk)
      return []
    }
    const complete = [...this.rest(), chunk.subarray(0, end)]
    if (end < chunk.length) this.held.push(chunk.subarray(end))
    return complete
  }

  /** The last line, if no line break ends it. */
  rest(): ReadonlyArray<Uint8Array> {
    const { held } = this
    if (held.length === 0) return held
    this.held = []
    return held.length === 1 ? held : [Buffer.concat(held)]
  }

  /** Comments keep a connection alive, and blank lines end events: neither is data. */
  private readLines(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length) {
      if (this.startsLine) this.isComment = chunk[at] === COLON || chunk[at] === NEW_LINE
      const newLine = chunk.indexOf(NEW_LINE, at)
      const end = newLine < 0 ? chunk.length : newLine + 1
      this.lineBytes += end - at
      if (this.isComment) this.bytesWithoutData += end - at
      this.startsLine = newLine >= 0
      if (this.startsLine) this.lineBytes = 0
      at = end
    }
  }
}
