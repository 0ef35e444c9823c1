/** A host's decision about a program that a plugin starts because a file names it, made before it is started. */
import type { Host, Program } from "@planloom/plugin/effect"

export interface NamedProgram extends Program {
  /** Folder of the workflow whose plugin starts it. */
  readonly folder: string
}

/** The reason why it may not, in one sentence for a person; undefined if it may. */
export type MayStart = (program: NamedProgram) => Promise<string | undefined>

/** The question of plugins of a workflow in this folder. */
export const startsOf = (mayStart: MayStart | undefined, folder: string): Pick<Host, "mayStart"> =>
  mayStart === undefined ? {} : { mayStart: (program) => mayStart({ ...program, folder }) }
