/** Standard output and standard error: writes text and keeps the first error of each. */
import { fstatSync, writeFileSync } from "node:fs"
import { getSystemErrorMessage } from "node:util"

export class Output {
  private readonly stream: NodeJS.WriteStream
  private readonly fd: number
  private readonly isFile: boolean
  private first: NodeJS.ErrnoException | undefined
  private listener: (() => void) | undefined
  private isAbandoned = false

  constructor(stream: NodeJS.WriteStream, fd: number) {
    this.stream = stream
    this.fd = fd
    const found = fstatSync(fd)
    this.isFile = found.isFile() || (found.isCharacterDevice() && stream.isTTY !== true)
    // Also catches errors of other writers, such as a plugin that uses the console.
    stream.on("error", this.fail)
  }

  /** Which reader has gone: the program at the other end of a pipe, or the terminal. */
  get closedBy(): "reader_gone" | "hangup" | undefined {
    const code = this.first?.code
    if (code === "EIO" && this.stream.isTTY) return "hangup"
    return code === "EPIPE" ? "reader_gone" : undefined
  }

  /** Why a write failed; undefined if none did. */
  get error(): string | undefined {
    const { first } = this
    if (first === undefined) return undefined
    return first.errno === undefined ? first.message : getSystemErrorMessage(first.errno)
  }

  /** Calls the listener once when the reader goes; immediately if it already has. */
  onGone(listener: () => void): void {
    this.listener = listener
    if (this.closedBy !== undefined) listener()
  }

  /** Writes text; ignores it after an error, so that the output has no gaps. */
  write(text: string): void {
    if (this.first !== undefined) return
    if (!this.isFile) {
      this.stream.write(text, (error) => {
        if (error != null) this.fail(error)
      })
      return
    }
    try {
      // A file stream loses the rest if a nearly full disk accepts only a part.
      writeFileSync(this.fd, Buffer.from(text))
    } catch (error) {
      this.fail(error as NodeJS.ErrnoException)
    }
  }

  /** Ends without what its reader has not read. */
  abandon(): void {
    this.isAbandoned = true
  }

  /** Resolves when everything is written, or after an error. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.first === undefined && !this.isAbandoned) this.stream.write("", () => resolve())
      else resolve()
    })
  }

  private readonly fail = (error: NodeJS.ErrnoException): void => {
    if (this.first !== undefined) return
    this.first = error
    if (this.closedBy !== undefined) this.listener?.()
  }
}

export const standardOutput = new Output(process.stdout, 1)
export const standardError = new Output(process.stderr, 2)
