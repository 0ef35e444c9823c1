/** Resolves a workflow argument to the path of its file. */
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { problem, usage, type Refused } from "../Refused.ts"
import { nearest, suggestion } from "./nearest.ts"
import { isEvaluation, isFile, isFolder, isTest, workflowFiles } from "./projectFiles.ts"

/** Accepts a path, or the name of a workflow in `workflows/`. */
export const findWorkflow = (given: string): Effect.Effect<string, Refused> =>
  Effect.flatMap(
    Effect.promise(() => resolved(given)),
    (found) => (typeof found === "string" ? Effect.succeed(found) : Effect.fail(found)),
  )

const resolved = async (given: string): Promise<string | Refused> => {
  if (isEvaluation(given)) {
    return usage(`${given} is an evaluation`, `run it with: planloom eval ${given}`)
  }
  if (isTest(given)) {
    return usage(`${given} is a test`, `run it with: planloom test ${given}`)
  }
  if (await isFile(given)) return given
  if (/^[\w-]+$/.test(given)) {
    for (const ending of ["yaml", "yml"]) {
      const path = join("workflows", `${given}.${ending}`)
      if (await isFile(path)) return path
    }
  }
  const known = await workflowFiles()
  if (await isFolder(given))
    return problem(`${given} is a folder, not a workflow file`, among(known))
  const byName = new Map(known.map((path) => [basename(path).replace(/\.ya?ml$/, ""), path]))
  const near = nearest(basename(given).replace(/\.ya?ml$/, ""), byName.keys())
  return problem(
    `file not found: ${given}`,
    near.length > 0
      ? `did you mean ${near.map((name) => byName.get(name)).join(" or ")}?`
      : (suggestion(given, known) ?? "start a project: planloom init"),
  )
}

const among = (known: ReadonlyArray<string>): string | undefined =>
  known.length === 0 ? undefined : `use one of: ${known.join(", ")}`
