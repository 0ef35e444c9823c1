/** A run as an async iterable of the parts of its streamed outputs. */
import type { Part } from "@planloom/plugin/effect"
import { PartQueue } from "./PartQueue.ts"
import type { Background } from "./runInBackground.ts"

export const partStream = <A>(
  start: (onPart: PartQueue["push"], onEnd: () => void) => Background<A>,
): AsyncIterable<Part> & { readonly result: Promise<A> } => {
  const queue = new PartQueue()
  const { cancel, result } = start(queue.push, () => queue.end())
  return {
    get result() {
      queue.relax()
      return result
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (let part = await queue.take(); part !== undefined; part = await queue.take()) {
          yield part
        }
        // A stream that was lost must not look as if it had come to its end.
        await result
      } finally {
        await cancel()
      }
    },
  }
}
