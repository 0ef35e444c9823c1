/** Sends the course of a run as `notifications/progress`, for a call that asked for them. */
import type { ServerContext } from "@modelcontextprotocol/server"
import type { RunEvent } from "@planloom/plugin/effect"

/** Notifications come no faster: a list of a thousand items has thousands of events. */
const INTERVAL_MS = 50

export class RunProgress {
  private readonly ctx: ServerContext
  private readonly token: string | number | undefined
  private sent = 0
  /** Epoch milliseconds. */
  private sentAt = 0

  constructor(ctx: ServerContext) {
    this.ctx = ctx
    this.token = ctx.mcpReq._meta?.progressToken
  }

  /** What an event says to the user of a run. The number increases with each notification; no total is known. */
  async show(event: RunEvent): Promise<void> {
    const message = this.token === undefined ? undefined : messageOf(event)
    const now = Date.now()
    if (message === undefined || now - this.sentAt < INTERVAL_MS) return
    this.sentAt = now
    await this.ctx.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken: this.token, progress: ++this.sent, message },
    })
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
    case "Noted":
      return event.audience === "user" ? event.text : undefined
    default:
      return undefined
  }
}
