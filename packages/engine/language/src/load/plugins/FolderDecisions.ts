/** A host's decisions about what a file of a workflow may make a plugin do, taken before it is done: start a program, speak for the person, send a secret. */
import type { Claim, Host, Program, Sending } from "@planloom/plugin/effect"

interface InWorkflow {
  /** Folder of the workflow whose plugin asks. */
  readonly folder: string
}

export type NamedProgram = Program & InWorkflow
export type NamedClaim = Claim & InWorkflow
export type NamedSending = Sending & InWorkflow

/** The reason why it may not, in one sentence for a person; undefined if it may. */
export type MayStart = (program: NamedProgram) => Promise<string | undefined>
export type MayTrust = (claim: NamedClaim) => Promise<string | undefined>
export type MaySend = (sending: NamedSending) => Promise<string | undefined>

export interface FolderDecisions {
  /** Whether a plugin may start a program that a file names. Every program may unless given, as for `mayLoad`. */
  readonly mayStart?: MayStart
  /** Whether a file may speak for the person who runs the workflow, as by using a login. Every file may unless given. */
  readonly mayTrust?: MayTrust
  /** Whether the value of a variable may go to an address that a file names. Every value may unless given. */
  readonly maySend?: MaySend
}

/** The questions of plugins of a workflow in this folder. */
export const decisionsIn = (
  { maySend, mayStart, mayTrust }: FolderDecisions,
  folder: string,
): Pick<Host, "maySend" | "mayStart" | "mayTrust"> => ({
  ...(maySend && {
    maySend: async (sending) => reasonIn("maySend", await maySend({ ...sending, folder })),
  }),
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
