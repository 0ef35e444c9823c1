/** A run as an async iterable of the parts of its streamed outputs. */
import type { Part } from "@planloom/plugin/effect"
import { PartQueue } from "./PartQueue.ts"
import type { Background } from "./runInBackground.ts"

type Given = IteratorResult<Part, undefined>

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
    // Not a generator: its `yield` and `await` would take most of the time of a part.
    [Symbol.asyncIterator]() {
      let isOver = false
      const end = async (): Promise<Given> => {
        isOver = true
        await cancel()
        return { done: true, value: undefined }
      }
      const last = async (): Promise<Given> => {
        // A stream that was lost must not look as if it had come to its end.
        if (!isOver) await result.finally(end)
        return { done: true, value: undefined }
      }
      return {
        next: () =>
          new Promise<Given>((resolve) => {
            if (isOver) resolve(last())
            else queue.take((part) => resolve(part ? { done: false, value: part } : last()))
          }),
        return: end,
      }
    },
  }
}
