/** Failures of run and session stores. */
import * as Data from "effect/Data"

/** Failure reasons of a store that a host distinguishes. */
export const storeFailures = {
  locked: "another program holds the store",
  full: "there is no disk space left",
  read_only: "the location is not writable",
  corrupt: "the stored data cannot be read",
  newer: "the store was written by a newer version",
  fenced: "another process has claimed the run",
  missing: "the run does not exist",
  exists: "a run with this id already exists",
  busy: "a process is working on the run",
  unavailable: "the store cannot be reached",
} as const

/** `message` is one sentence for people: the problem, its location and the fix. */
export class StoreFailed extends Data.TaggedError("StoreFailed")<{
  readonly reason: keyof typeof storeFailures
  readonly message: string
}> {}
