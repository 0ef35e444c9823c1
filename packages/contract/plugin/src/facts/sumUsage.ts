/** Adds the tokens of two calls. */
import type { Usage } from "../run/Usage.ts"

export const sumUsage = (first: Usage, second: Usage): Usage => {
  const cached = (first.cached ?? 0) + (second.cached ?? 0)
  const written = (first.written ?? 0) + (second.written ?? 0)
  return {
    input: first.input + second.input,
    output: first.output + second.output,
    ...(cached === 0 ? {} : { cached }),
    ...(written === 0 ? {} : { written }),
    ...(first.estimated === true || second.estimated === true ? { estimated: true } : {}),
  }
}
