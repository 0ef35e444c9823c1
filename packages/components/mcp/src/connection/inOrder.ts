/** Delivers messages in order: a response not before the notifications that came before it are handled, such as progress. */
import type { Transport } from "@modelcontextprotocol/client"

type Deliver = NonNullable<Transport["onmessage"]>

/** The SDK handles a notification in a microtask, and drops the progress of a request that has its response. */
export const inOrder = (deliver: Deliver): Deliver => {
  const waiting: Array<Parameters<Deliver>> = []
  let isHandling = false
  const next: Deliver = (message, extra) => {
    if (isHandling) {
      waiting.push([message, extra])
      return
    }
    deliver(message, extra)
    if ("id" in message) return
    isHandling = true
    void handled().then(() => {
      isHandling = false
      for (const [later, about] of waiting.splice(0)) next(later, about)
    })
  }
  return next
}

/** Some turns of the microtask queue: one for the notification, and some for its handler. */
const handled = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await undefined
}
