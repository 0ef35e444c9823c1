/** The draft of a call, and the copy of it that hooks see: they change only what they return. */
import { frozenCopy } from "./frozenCopy.ts"
import type { Draft } from "./HookSite.ts"

export class Drafts {
  readonly draft: Draft
  private copy: Draft | undefined

  constructor(draft: Draft, copy?: Draft) {
    this.draft = draft
    this.copy = copy
  }

  /** Made for the first hook that runs: a filter leaves most of them out. */
  get seen(): Draft {
    return (this.copy ??= frozenCopy(this.draft))
  }
}
