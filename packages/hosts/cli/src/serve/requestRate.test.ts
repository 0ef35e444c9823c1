import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { requestRate } from "./requestRate.ts"

const project = mkdtempSync(join(tmpdir(), "planloom-rate-"))
writeFileSync(
  join(project, "planloom.yaml"),
  "apiVersion: planloom/v1\nkind: Project\nserve: { rate: 600 }\n",
)
const bare = mkdtempSync(join(tmpdir(), "planloom-rate-"))
afterAll(() => {
  for (const folder of [project, bare]) rmSync(folder, { recursive: true })
})

describe("requests per minute and client of planloom serve", () => {
  it.effect.each([
    ["the flag's, also with a project", { flag: 5, folder: project, isPublic: true }, 5],
    ["the project's", { flag: undefined, folder: project, isPublic: false }, 600],
    ["6000 on a public address", { flag: undefined, folder: bare, isPublic: true }, 6000],
    [
      "unlimited on a loopback address",
      { flag: undefined, folder: bare, isPublic: false },
      undefined,
    ],
  ] as const)("are %s", ([, given, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* requestRate(given), expected)
    }),
  )

  it.effect("of the flag must be at least 1", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(requestRate({ flag: 0, folder: bare, isPublic: false }))
      assert.include(refused.message, "--rate must be at least 1")
    }),
  )
})
