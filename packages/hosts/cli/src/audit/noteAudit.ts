/** Adds an entry to the audit list of the project's store, which is made for it. */
import type { AuditEntry } from "@planloom/record/audit"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { openRuns } from "../run/projectRuns.ts"
import { viaShell } from "./viaShell.ts"

type Noted = Pick<AuditEntry, "about" | "action" | "by">

export const noteAudit = (noted: Noted): Effect.Effect<void, Refused> =>
  Effect.scoped(Effect.flatMap(openRuns(""), (store) => auditIn(store, noted))).pipe(
    Effect.catchTag("StoreFailed", ({ message }) =>
      Effect.fail(problem(`the audit list cannot be written: ${message}`)),
    ),
  )

/** Nothing for a store that keeps no list. */
export const auditIn = (store: RunStore, noted: Noted): Effect.Effect<void, StoreFailed> =>
  Effect.gen(function* () {
    const { Audit } = yield* Effect.promise(() => import("@planloom/record/audit"))
    yield* Audit.of(store)?.record({ ...noted, via: viaShell() }) ?? Effect.void
  })
