/** The requests that one call of a model has sent: more than one if its service paused the reply. */
import type { FailureRecord } from "../run/Failure.ts"
import type { Usage } from "../run/Usage.ts"

/** The usage of each request, in order. */
export const requestUsages = (usage: Usage): ReadonlyArray<Usage> => {
  if (usage.earlier === undefined || usage.earlier.length === 0) return [usage]
  const { earlier, ...all } = usage
  return [...earlier, earlier.reduce(less, all)]
}

/** Requests that the call sent. */
export const requestsOf = ({
  failure,
  usage,
}: {
  readonly failure?: FailureRecord
  readonly usage: Usage
}): number => (failure?.unsent === true ? 0 : 1) + (usage.earlier?.length ?? 0)

/** The rest of a usage without a part of it. */
export const less = (usage: Usage, part: Usage): Usage => {
  const cached = Math.max(0, (usage.cached ?? 0) - (part.cached ?? 0))
  const written = Math.max(0, (usage.written ?? 0) - (part.written ?? 0))
  return {
    input: Math.max(0, usage.input - part.input),
    output: Math.max(0, usage.output - part.output),
    ...(cached === 0 ? {} : { cached }),
    ...(written === 0 ? {} : { written }),
    ...(usage.estimated === true ? { estimated: true } : {}),
  }
}
