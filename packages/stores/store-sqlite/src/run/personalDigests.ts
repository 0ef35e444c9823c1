/** Digests of personal inputs in the table of runs: read, written, and erased for a user. */
import type { PersonalDigests } from "@planloom/plugin/effect"
import type { Database, Row } from "../Database.ts"
import { runs } from "../sql.ts"

export const personalText = (digests: PersonalDigests | undefined): string | null =>
  digests === undefined ? null : JSON.stringify(digests)

export const readPersonal = ({ personal }: Row): PersonalDigests | undefined =>
  typeof personal === "string" ? (JSON.parse(personal) as PersonalDigests) : undefined

/** Returns the ids of the runs. Requires the caller's transaction. */
export const erasePersonal = (database: Database, userDigest: string): ReadonlyArray<string> => {
  const erased: Array<string> = []
  for (const row of database.all(runs.personalOf, userDigest)) {
    const digests = readPersonal(row)!
    if (Object.values(digests).every((digest) => digest === null)) continue
    const names = Object.keys(digests).map((name) => [name, null] as const)
    database.run(runs.setPersonal, personalText(Object.fromEntries(names)), row["id"] as number)
    erased.push(row["run"] as string)
  }
  return erased
}
