/** Converts a row of `runs` to the contract's run record. */
import type { FailureClass, Json, RunRecord, RunStatus } from "@planloom/plugin/effect"
import type { Row } from "../Database.ts"

/** Fields that a list entry and a whole record share. */
export const runSummary = (row: Row) => {
  const { finished_at: finishedAt, session, user_digest: userDigest } = row
  return {
    run: row["run"] as string,
    workflow: row["workflow"] as string,
    status: row["status"] as RunStatus,
    inputs: JSON.parse(row["inputs"] as string) as Json,
    startedAt: Number(row["started_at"]),
    ...(finishedAt === null ? {} : { finishedAt: Number(finishedAt) }),
    ...(typeof session === "string" ? { session } : {}),
    ...(typeof userDigest === "string" ? { userDigest } : {}),
  }
}

/** `isSilent`: the run has an owner that is dead. */
export const toRunRecord = (row: Row, active: boolean, isSilent: boolean): RunRecord => {
  const { failure, suspicion } = row
  const attemptsWithoutProgress = Number(row["taken"]) + (isSilent ? 1 : 0)
  return {
    ...runSummary(row),
    ...(typeof failure === "string" ? { failedWith: failure as FailureClass } : {}),
    epoch: Number(row["epoch"]),
    ...(attemptsWithoutProgress === 0 ? {} : { attemptsWithoutProgress }),
    ...(typeof suspicion === "string" ? { suspicion } : {}),
    active,
  }
}
