/** A missing SDK is a failure that names its installation; a broken one is a defect. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { loadSdk } from "./loadSdk.ts"

it.effect(
  "loadSdk returns the module, and fails with no_model if its package is not installed",
  () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* loadSdk("sdk", async () => 1)("a/b"), 1)
      const name = "@planloom/not-there"
      const failed = yield* Effect.flip(loadSdk(name, () => import(name))("a/b"))
      assert.strictEqual(failed.class, "no_model")
      assert.strictEqual(failed.message, `${name} is not installed: npm install ${name}`)
      const broken = yield* Effect.exit(
        loadSdk("sdk", () => Promise.reject(new Error("broken")))("a/b"),
      )
      assert.isTrue(Exit.isFailure(broken) && Cause.hasDies(broken.cause))
    }),
)
