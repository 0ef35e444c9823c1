/** Decides how many requests a minute a client of the server may send. */
import * as Effect from "effect/Effect"
import { usage, type Refused } from "../Refused.ts"

/** On an address that other machines can reach. */
const PUBLIC_REQUESTS_PER_MINUTE = 6000

export interface RateRequest {
  /** `--rate`. */
  readonly flag: number | undefined
  /** In the project whose `planloom.yaml` may set `serve.rate`. */
  readonly folder: string
  /** Whether other machines can reach the address. */
  readonly isPublic: boolean
}

/** The flag, else `serve.rate` of the project, else the default of the address; undefined for no limit. */
export const requestRate = ({
  flag,
  folder,
  isPublic,
}: RateRequest): Effect.Effect<number | undefined, Refused> =>
  Effect.gen(function* () {
    if (flag !== undefined) return flag < 1 ? yield* usage("--rate must be at least 1") : flag
    const { readProject } = yield* Effect.promise(() => import("@planloom/language"))
    const project = yield* readProject(folder)
    return project?.serve?.rate ?? (isPublic ? PUBLIC_REQUESTS_PER_MINUTE : undefined)
  })
