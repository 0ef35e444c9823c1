/** Telemetry of a workflow that declares it; nothing is loaded for any other. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RunOptions } from "@planloom/core"
import { trustFolder } from "../trust/trustAnswers.ts"
import { TrustChoice } from "../trust/TrustChoice.ts"
import { isTrusted } from "../trust/trustedFolders.ts"
import type { Loaded } from "./recording.ts"

/** Exports what is left when the scope closes. */
export const telemetryOf = ({
  definition: { telemetry },
  sources,
}: Pick<Loaded, "definition" | "sources">): Effect.Effect<
  Pick<RunOptions, "telemetry">,
  never,
  Scope
> =>
  telemetry === undefined
    ? Effect.succeed({})
    : Effect.gen(function* () {
        const { exporterTo } = yield* Effect.promise(() => import("./exporters.ts"))
        const [file = ""] = sources.keys()
        const choice = yield* TrustChoice
        const isOwn = yield* Effect.promise(() => isOwnFile(file, choice))
        return { telemetry: yield* exporterTo(telemetry.otlp, isOwn) }
      })

/** Whether the file is of a trusted folder: the headers of the person hold credentials. */
const isOwnFile = async (file: string, choice: TrustChoice): Promise<boolean> =>
  choice === "trust" || (choice !== "imported" && isTrusted(await trustFolder(dirname(file))))
