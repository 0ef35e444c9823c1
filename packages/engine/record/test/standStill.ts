/** A process with a watchdog whose event loop stands still: `node standStill.ts <way> <limit in ms>`. It prints what is blamed. */
import { execSync } from "node:child_process"
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { RunStore } from "@planloom/plugin/effect"
import { watchdog } from "../src/watchdog/index.ts"
import { asOnHand } from "../src/worker/OnHand.ts"

const [way, given] = process.argv.slice(2)
const limit = Number(given)

const store = {
  blame: (run: string | undefined, why: string) =>
    Effect.sync(() => writeSync(1, `${run ?? "no run"}: ${why}\n`)),
} as unknown as RunStore

const busyFor = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const ways: { readonly [way: string]: () => Promise<void> | void } = {
  "at once": () => busyFor(Number.POSITIVE_INFINITY),
  "after a promise": async () => {
    await turn()
    busyFor(Number.POSITIVE_INFINITY)
  },
  "in a pattern": async () => {
    await turn()
    ;/^(a+)+$/.test(`${"a".repeat(60)}b`)
  },
  "in native code": async () => {
    await turn()
    execSync("sleep 1000")
  },
  "in a write": () => {
    execSync(`sleep ${(1.6 * limit) / 1000}`)
  },
  "by its end": async () => {
    await turn()
    process.exit(9)
  },
  shortly: () => busyFor(1.05 * limit),
  long: () => busyFor(4 * limit),
  "until a line comes": () =>
    new Promise((resolve) => {
      process.stdin.once("data", () => resolve())
      writeSync(1, "ready\n")
    }),
}

const place = { path: "harm", stage: "harm", component: "acme/harm" }

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      yield* watchdog({ store, limit })
      const work = (enter: () => void) =>
        Effect.promise(async () => {
          // The thread of the watchdog sees the loop turn before it stands still.
          await new Promise((resolve) => setTimeout(resolve, 100))
          enter()
          await ways[way!]!()
        })
      yield* process.env["NO_RUN"] === undefined
        ? asOnHand({ run: "r", workflow: "w" }, ({ onPlace }) => work(() => onPlace?.(place)))
        : work(() => undefined)
    }),
  ),
)
writeSync(1, "done\n")
process.exit(0)
