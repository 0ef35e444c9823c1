/** The tests of the concierge that its authors copy: each passes, and none needs a key or a database. */
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runWorkflowTest } from "../src/workflow/runWorkflowTest.ts"

const root = join(import.meta.dirname, "../../../..")

it.effect("passes its own tests: at least forty turns without a model or with a scripted one", () =>
  Effect.gen(function* () {
    const { diagnostics, tests } = yield* runWorkflowTest(
      join(root, "workflows/remittance_concierge.test.yaml"),
      {
        load: {
          plugins: {
            "@planloom/stages": async () => (await import("@planloom/stages")).default,
            "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
            "@planloom/hooks": async () => (await import("@planloom/hooks")).default,
            "@planloom/shadow": async () => (await import("@planloom/shadow")).default,
            "@planloom/subagents": async () => (await import("@planloom/subagents")).default,
            "@planloom/validators": async () => (await import("@planloom/validators")).default,
            "@planloom/provider-anthropic": async () =>
              (await import("@planloom/provider-anthropic")).default,
          },
          roots: [root],
          secret: () => undefined,
        },
      },
    )
    assert.deepStrictEqual(diagnostics, [])
    assert.deepStrictEqual(
      tests.flatMap(({ failures }) => failures),
      [],
    )
    assert.isAtLeast(tests.length, 40)
  }),
)
