/** Where the calls of each run of an evaluation are recorded: one folder for each. */
import { join } from "node:path"
import type { EvaluationCase } from "../file/Evaluation.ts"

/** Of a name, in a folder's. */
const LONGEST = 60

/** The folder of a case's run: after its name, so that a row can be moved; the second of a name gets a number. */
export class EvaluationCassettes {
  private readonly folder: string
  private readonly taken = new Map<string, number>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** To be asked once for each case, in their order. */
  of({ index, name }: EvaluationCase): (variant: string, run: number) => string {
    const words = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .slice(0, LONGEST)
      .replaceAll(/^_|_$/g, "")
    const base = words !== "" ? words : `case_${index + 1}`
    const before = this.taken.get(base) ?? 0
    this.taken.set(base, before + 1)
    const own = before === 0 ? base : `${base}.${before + 1}`
    return (variant, run) => join(this.folder, variant, own, String(run + 1))
  }
}
