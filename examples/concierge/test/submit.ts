/** A program that submits one transfer to a database file, as another process of the service would. */
import { workerData } from "node:worker_threads"
import { Database } from "../Database.ts"
import { create_transfer } from "../tools/create_transfer.ts"

const { at, file, key, outcomes } = workerData as {
  readonly at: number
  readonly file: string
  readonly key: string
  /** Number of submits that made the transfer, and of those that found it made. */
  readonly outcomes: Int32Array
}
const database = new Database(file)
const { repeated } = create_transfer.run({ quote: "Q-1", recipient: "R-1" } as never, {
  database,
  customer: "ana",
  language: "en",
  now: at,
  key,
})
Atomics.add(outcomes, repeated === true ? 1 : 0, 1)
database.close()
