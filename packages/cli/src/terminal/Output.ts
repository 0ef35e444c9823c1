/** Standard output and standard error: writes to them, and the first error of each. */
import { fstatSync, writeFileSync } from "node:fs"
import { getSystemErrorMessage } from "node:util"

export class Output {
  private readonly stream: NodeJS.WriteStream
  private readonly fd: number
  private readonly isFile: boolean
  private first: NodeJS.ErrnoException | undefined
  private listener: (() => void) | undefined

  constructor(stream: NodeJS.WriteStream, fd: number) {
    this.stream = stream
    this.fd = fd
    const found = fstatSync(fd)
    this.isFile = found.isFile() || (found.isCharacterDevice() && stream.isTTY !== true)
    // Also for what others write to the stream, such as a plugin by way of the console.
    stream.on("error", this.fail)
  }

  /** Who reads it no longer: a program at the other end of a pipe, or a terminal that was closed. */
  get gone(): "reader_gone" | "hangup" | undefined {
    const code = this.first?.code
    if (code === "EIO" && this.stream.isTTY) return "hangup"
    return code === "EPIPE" ? "reader_gone" : undefined
  }

  /** Why what was written is not there; undefined when it is. */
  get error(): string | undefined {
    const { first } = this
    if (first === undefined) return undefined
    return first.errno === undefined ? first.message : getSystemErrorMessage(first.errno)
  }

  /** Calls once when nothing reads it any longer; at once when that was before. */
  onGone(listener: () => void): void {
    this.listener = listener
    if (this.gone !== undefined) listener()
  }

  /** Writes nothing any more after an error: what is there has no gaps. */
  write(text: string): void {
    if (this.first !== undefined) return
    if (!this.isFile) {
      this.stream.write(text, (error) => {
        if (error != null) this.fail(error)
      })
      return
    }
    try {
      // The stream of a file would lose the rest where a nearly full disk takes a part.
      writeFileSync(this.fd, Buffer.from(text))
    } catch (error) {
      this.fail(error as NodeJS.ErrnoException)
    }
  }

  /** Resolves when everything is written, or cannot be. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.first === undefined) this.stream.write("", () => resolve())
      else resolve()
    })
  }

  private readonly fail = (error: NodeJS.ErrnoException): void => {
    if (this.first !== undefined) return
    this.first = error
    if (this.gone !== undefined) this.listener?.()
  }
}

export const standardOutput = new Output(process.stdout, 1)
export const standardError = new Output(process.stderr, 2)
