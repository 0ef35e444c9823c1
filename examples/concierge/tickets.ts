/** Cases for the people of the service. */
import type { Call } from "./ConciergeTool.ts"
import { customerOf } from "./customers.ts"

/** Opens a case once per call; gives its reference. */
export const openCase = (
  kind: "ticket" | "hand_over",
  topic: string,
  summary: string,
  call: Call,
): string =>
  call.database.transaction(() => {
    const { customer, database, key } = call
    customerOf(call)
    const known = database.row("SELECT id FROM tickets WHERE key = ?", key)
    const id =
      known?.["id"] ??
      database.write(
        "INSERT INTO tickets (customer, key, kind, topic, summary) VALUES (?, ?, ?, ?, ?)",
        customer,
        key,
        kind,
        topic,
        summary,
      )
    return `K-${id}`
  })
