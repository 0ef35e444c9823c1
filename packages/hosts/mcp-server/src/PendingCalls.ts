/** Calls under way, which a server that stops waits for. */

export class PendingCalls {
  private readonly calls = new Set<Promise<unknown>>()

  get size(): number {
    return this.calls.size
  }

  add<A>(call: Promise<A>): Promise<A> {
    this.calls.add(call)
    const remove = () => void this.calls.delete(call)
    call.then(remove, remove)
    return call
  }

  /** Resolves when they have been answered. */
  async settled(): Promise<void> {
    while (this.calls.size > 0) await Promise.allSettled(this.calls)
    // The answers are written after their calls have ended.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
