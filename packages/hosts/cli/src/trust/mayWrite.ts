/** Refuses to write where a stranger's folder leads out of its project: by a link, or by a path in one of its files. */
import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { realTarget } from "@planloom/plugin/targets"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { isWithin } from "./isWithin.ts"
import { trustFolder } from "./trustAnswers.ts"
import { TrustChoice } from "./TrustChoice.ts"
import { isTrusted } from "./trustedFolders.ts"

export interface Writing {
  /** A folder of the project. */
  readonly project?: string
  /** A person typed the path: one outside of the project is meant. */
  readonly typed?: boolean
}

export const mayWrite = (
  target: string,
  { project = ".", typed = false }: Writing = {},
): Effect.Effect<void, Refused> =>
  Effect.flatMap(TrustChoice, (choice) =>
    choice === "trust"
      ? Effect.void
      : Effect.flatMap(
          Effect.promise(() => refusalOf(target, project, typed, choice)),
          (refusal) => (refusal === undefined ? Effect.void : Effect.fail(refusal)),
        ),
  )

const refusalOf = async (
  target: string,
  project: string,
  typed: boolean,
  choice: TrustChoice,
): Promise<Refused | undefined> => {
  const folder = await trustFolder(await existing(project))
  if (typed && !isWithin(folder, resolve(target))) return undefined
  const real = await realTarget(target)
  if (isWithin(folder, real)) return undefined
  if (choice !== "imported" && (await isTrusted(folder))) return undefined
  return problem(
    `${target} leads to ${real}, outside of the project ${folder}, which is not trusted; nothing was written`,
    "review where it leads; --trust writes there once, and a folder that you trust may lead out of itself",
  )
}

/** Real path of a folder that may not exist yet. */
const existing = (folder: string): Promise<string> =>
  realpath(folder === "" ? "." : folder).catch(() => realTarget(folder))
