/** A row of `runs` as the contract has it. */
import type { FailureClass, Json, RunRecord, RunStatus } from "@planloom/plugin"
import type { Row } from "./Database.ts"

/** What is told of a run in a list and in a whole record alike. */
export const headOf = (row: Row) => {
  const { finished_at: finishedAt, session } = row
  return {
    run: row["run"] as string,
    workflow: row["workflow"] as string,
    status: row["status"] as RunStatus,
    inputs: JSON.parse(row["inputs"] as string) as Json,
    startedAt: Number(row["started_at"]),
    ...(finishedAt === null ? {} : { finishedAt: Number(finishedAt) }),
    ...(typeof session === "string" ? { session } : {}),
  }
}

export const recordOf = (row: Row, active: boolean): RunRecord => {
  const { failure } = row
  const fruitless = Number(row["fruitless"])
  return {
    ...headOf(row),
    ...(typeof failure === "string" ? { failedWith: failure as FailureClass } : {}),
    epoch: Number(row["epoch"]),
    ...(fruitless === 0 ? {} : { fruitless }),
    active,
  }
}
