/** A host's decisions about what a file of a workflow may make a plugin do, taken before it is done: start a program, speak for the person. */
import type { Claim, Host, Program } from "@planloom/plugin/effect"

interface InWorkflow {
  /** Folder of the workflow whose plugin asks. */
  readonly folder: string
}

export type NamedProgram = Program & InWorkflow
export type NamedClaim = Claim & InWorkflow

/** The reason why it may not, in one sentence for a person; undefined if it may. */
export type MayStart = (program: NamedProgram) => Promise<string | undefined>
export type MayTrust = (claim: NamedClaim) => Promise<string | undefined>

export interface FolderDecisions {
  /** Whether a plugin may start a program that a file names. Every program may unless given, as for `mayLoad`. */
  readonly mayStart?: MayStart
  /** Whether a file may speak for the person who runs the workflow, as by using a login. Every file may unless given. */
  readonly mayTrust?: MayTrust
}

/** The questions of plugins of a workflow in this folder. */
export const decisionsIn = (
  { mayStart, mayTrust }: FolderDecisions,
  folder: string,
): Pick<Host, "mayStart" | "mayTrust"> => ({
  ...(mayStart && {
    mayStart: async (program) => reasonIn("mayStart", await mayStart({ ...program, folder })),
  }),
  ...(mayTrust && {
    mayTrust: async (claim) => reasonIn("mayTrust", await mayTrust({ ...claim, folder })),
  }),
})

/** Allows nothing for a value of another type. */
const reasonIn = (asked: string, reason: string | undefined): string | undefined =>
  reason === undefined || typeof reason === "string"
    ? reason
    : `${asked} of the host returned ${JSON.stringify(reason)}; it returns undefined to allow it, or the reason against it`
