/** Decides whether a plugin may keep files in the folder that a project file names: one outside of the project only for its own person. */
import { realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { StageFailed } from "../run/Failure.ts"
import { isInside } from "./openInside.ts"
import type { Host } from "../Plugin.ts"
import { realTarget } from "./realTarget.ts"

/** The absolute folder that the config has under `key`; undefined without one. Fails if the host does not believe the project file. */
export const requireFolder = (
  folder: string | undefined,
  { mayTrust, root }: Host,
  key = "folder",
): Effect.Effect<string | undefined, StageFailed> =>
  Effect.gen(function* () {
    if (folder === undefined) return undefined
    const path = resolve(root, folder)
    if (mayTrust === undefined) return path
    const refusal = yield* Effect.promise(async () =>
      isInside(await realTarget(path), await realpath(root))
        ? undefined
        : mayTrust({
            what: `keeps files outside of the project, in ${path}`,
            file: join(root, "planloom.yaml"),
            matters: true,
          }),
    )
    if (refusal === undefined) return path
    return yield* new StageFailed({
      class: "invalid_request",
      detail: { path: [key] },
      message: `the folder is outside of the project: ${refusal}`,
    })
  })
