/** The last failures to list the tools of servers, until a list succeeds. */
import { cleanLine } from "@planloom/plugin/clean"
import type { Server } from "../servers/Server.ts"
import { ServerFiles } from "../servers/ServerFiles.ts"

export interface ListFailure {
  /** Epoch milliseconds. */
  readonly at: number
  /** A sentence that names the server. */
  readonly message: string
}

const MAX_MESSAGE_CHARS = 1000

export class FailureStore {
  private readonly files: ServerFiles<ListFailure>

  /** `state` is the state folder of the user. */
  constructor(state: string) {
    this.files = new ServerFiles(state, "failures")
  }

  /** Undefined for a server whose last list succeeded. A file that cannot be read counts as absent: it is written again. */
  read(server: Server): ListFailure | undefined {
    try {
      const { at, message } = (this.files.read(server) ?? {}) as Partial<ListFailure>
      return Number.isFinite(at) && typeof message === "string"
        ? { at: at!, message: cleanLine(message, MAX_MESSAGE_CHARS) }
        : undefined
    } catch {
      return undefined
    }
  }

  write(server: Server, { at, message }: ListFailure): Promise<void> {
    return this.files.write(server, { at, message: cleanLine(message, MAX_MESSAGE_CHARS) })
  }

  async clear(server: Server): Promise<void> {
    if (this.read(server) !== undefined) await this.files.remove(server)
  }
}

/** In UTC, to the minute. */
export const timeText = (ms: number): string =>
  new Date(ms).toISOString().slice(0, 16).replace("T", " ")

/** The failure with its time, as a sentence. */
export const failureText = ({ at, message }: ListFailure): string => `${message} (${timeText(at)})`
