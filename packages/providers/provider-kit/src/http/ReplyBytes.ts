/**
 * Counts the bytes of a response, after decompression, and divides streams into lines. The text in the parts of a
 * stream is counted where the parts are read.
 */

/** Ratio of a stream's bytes to the text in its parts: the fields around every token. */
const STREAM_OVERHEAD_FACTOR = 16
const NEW_LINE = 10
const CARRIAGE_RETURN = 13
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
  /** Of the current line: it is a field of an event; it is passed on. */
  private isData = false
  private isKept = false
  private isInEvent = false
  private held: Array<Uint8Array> = []

  constructor(headers: Headers, maxBytes: number) {
    this.isStream = /event-stream|ndjson/.test(headers.get("content-type") ?? "")
    this.maxBytes = maxBytes
  }

  /**
   * Bytes that may be read now: of a stream without comments, up to its last line break. SDKs search an incomplete line
   * from its start with every chunk, and some take long for each line.
   */
  push(chunk: Uint8Array): ReadonlyArray<Uint8Array> {
    this.bytes += chunk.length
    if (!this.isStream) {
      this.exceedsLimit = this.bytes > this.maxBytes
      return this.exceedsLimit ? [] : [chunk]
    }
    const data = this.readLines(chunk)
    this.exceedsLimit =
      this.bytes > this.maxBytes * STREAM_OVERHEAD_FACTOR ||
      this.lineBytes > this.maxBytes ||
      this.bytesWithoutData > this.maxBytes
    if (this.exceedsLimit || data.length === 0) return []
    const end = data.lastIndexOf(NEW_LINE) + 1
    if (end === 0) {
      this.held.push(data)
      return []
    }
    const complete = [...this.rest(), data.subarray(0, end)]
    if (end < data.length) this.held.push(data.subarray(end))
    return complete
  }

  /** The last line, if no line break ends it. */
  rest(): ReadonlyArray<Uint8Array> {
    const { held } = this
    if (held.length === 0) return held
    this.held = []
    return held.length === 1 ? held : [Buffer.concat(held)]
  }

  /** The chunk without comments, which keep a connection alive, and without blank lines that end no event. */
  private readLines(chunk: Uint8Array): Uint8Array {
    const kept: Array<Uint8Array> = []
    let keptFrom = 0
    let at = 0
    while (at < chunk.length) {
      if (this.startsLine) this.startLine(chunk[at]!)
      const newLine = chunk.indexOf(NEW_LINE, at)
      const end = newLine < 0 ? chunk.length : newLine + 1
      this.lineBytes += end - at
      if (!this.isData) this.bytesWithoutData += end - at
      if (!this.isKept) {
        if (keptFrom < at) kept.push(chunk.subarray(keptFrom, at))
        keptFrom = end
      }
      this.startsLine = newLine >= 0
      if (this.startsLine) this.lineBytes = 0
      at = end
    }
    if (keptFrom === 0) return chunk
    if (keptFrom < at) kept.push(chunk.subarray(keptFrom))
    return Buffer.concat(kept)
  }

  private startLine(first: number): void {
    const isBlank = first === NEW_LINE || first === CARRIAGE_RETURN
    const endsEvent = isBlank && this.isInEvent
    this.isData = !isBlank && first !== COLON
    this.isKept = this.isData || endsEvent
    if (this.isKept) this.isInEvent = this.isData
  }
}
