/** Sends the course of a run as `notifications/progress`, for a call that asked for them. */
import type { ServerContext } from "@modelcontextprotocol/server"
import type { RunEvent } from "@planloom/plugin/effect"

/** Notifications at once; a list of a thousand items has thousands of events. */
const BURST = 20

/** Milliseconds until one more may be sent. */
const REFILL_MS = 50

export class RunProgress {
  private readonly ctx: ServerContext
  private readonly token: string | number | undefined
  private sent = 0
  private isSending = false
  private left = BURST
  /** Epoch milliseconds. */
  private refilledAt = Date.now()

  constructor(ctx: ServerContext) {
    this.ctx = ctx
    this.token = ctx.mcpReq._meta?.progressToken
  }

  /**
   * Sends the message of an event to the user of a run. The number increases with each notification; no total is known. A client
   * that reads slowly holds up nothing: it gets fewer of them.
   */
  show(event: RunEvent): void {
    const message = this.token === undefined ? undefined : messageOf(event)
    if (message === undefined || this.isSending || !this.takesOne()) return
    this.isSending = true
    const sent = () => {
      this.isSending = false
    }
    this.ctx.mcpReq
      .notify({
        method: "notifications/progress",
        params: { progressToken: this.token, progress: ++this.sent, message },
      })
      // The connection has ended, and the request is aborted by that.
      .then(sent, sent)
  }

  private takesOne(): boolean {
    const refills = Math.floor((Date.now() - this.refilledAt) / REFILL_MS)
    this.refilledAt += refills * REFILL_MS
    this.left = Math.min(BURST, this.left + refills)
    if (this.left === 0) return false
    this.left--
    return true
  }
}

const messageOf = (event: RunEvent): string | undefined => {
  switch (event.type) {
    case "StageStarted":
      return `${event.path} started`
    case "StageFinished":
      return `${event.path} finished`
    case "StageSkipped":
      return `${event.path} skipped`
    case "Progressed":
      return `${event.path}: ${event.message}`
    case "ToolProgressed":
      return `${event.path}: ${event.tool} ${event.message}`.trimEnd()
    case "Noted":
      return event.audience === "user" ? event.text : undefined
    default:
      return undefined
  }
}
