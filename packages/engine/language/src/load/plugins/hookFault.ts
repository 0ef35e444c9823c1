/** A hook as a plugin gives it → why it cannot be used. */
import { hookPhases, hookPoints, type AnyHook } from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import { SchemaRejected } from "@planloom/schema"
import { schemaFault } from "./schemaFault.ts"

const kinds = ["transform", "observe", "review"] as const

/** Undefined for a hook that can be used. */
export const hookFault = (given: object): string | undefined => {
  const {
    also = {},
    id,
    input = true,
    kind,
    phase,
    point,
    run,
    timeout,
  } = given as Partial<AnyHook>
  const subject = `the hook "${String(id)}"`
  const at = hookPoints.find((one) => one.id === point)
  if (at === undefined) {
    return `${subject} has no hook point: ${String(point)} is not one of ${hookPoints.map((one) => one.id).join(", ")}`
  }
  if (kind === undefined || !kinds.includes(kind)) {
    return `the kind of ${subject} is not one of ${kinds.join(", ")}`
  }
  if (kind === "transform" && at.owns.length === 0) {
    return `${subject} is a transform, but nothing can be changed at ${at.id}`
  }
  if (typeof run !== "function") return `${subject} has no function \`run\``
  const further = Object.entries(also).find(
    ([one, does]) => typeof does !== "function" || !canRunAt(one, kind),
  )
  if (further !== undefined) {
    return `${subject} cannot run at ${further[0]}: \`also\` has functions by hook point, of a transform at points where it can change something`
  }
  if (phase !== undefined && !hookPhases.includes(phase)) {
    return `the phase of ${subject} is not one of ${hookPhases.join(", ")}`
  }
  if (timeout !== undefined && parseDuration(timeout) === undefined) {
    return `the timeout of ${subject} is not a duration: ${timeout}`
  }
  const fault = schemaFault(input)
  return fault === undefined
    ? undefined
    : `the input of ${subject}: ${new SchemaRejected([fault]).message}`
}

const canRunAt = (point: string, kind: string): boolean => {
  const at = hookPoints.find(({ id }) => id === point)
  return at !== undefined && (kind !== "transform" || at.owns.length > 0)
}
