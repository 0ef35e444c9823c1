/** What the tools share: the folder, the files they write, and one turn at a time for what is written. */
import type { Folder, KeptFiles } from "@planloom/tools-files"

export interface Device {
  readonly folder: Folder
  /** Settings, clipboard and the app that is open. */
  readonly kept: KeptFiles
  /** Bytes read of any one file. */
  readonly bytes: number
  /** Folder in which the operating system reports its batteries. */
  readonly power: string
  /** Runs after everything before it has ended: reading and writing one file must not mix. */
  readonly inTurn: <A>(work: () => Promise<A>) => Promise<A>
}

export const oneByOne = (): Device["inTurn"] => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
