import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { checkFile } from "@planloom/language"
import { folderOf } from "../../../../../.config/packageFolders.ts"
import { firstPartyManifest } from "./firstPartyManifest.ts"
import { bundledManifests } from "./bundledManifests.ts"
import { bundledPlugins } from "./bundledPlugins.ts"

const root = join(import.meta.dirname, "../../../../..")

/** The ids of the stage kinds and providers a plugin brings, whether it makes them in its set-up or before. */
const idsOf = async (name: string) => {
  const { components, provides } = await bundledPlugins[name]!()
  return {
    stages: components?.stages?.map(({ id }) => id) ?? [],
    providers: [
      ...(components?.providers?.map(({ id }) => id) ?? []),
      ...(provides?.providers ?? []),
    ],
  }
}

const helpFor = (body: string) =>
  Effect.map(
    checkFile("forgot.yaml", {
      plugins: bundledPlugins,
      manifests: bundledManifests,
      texts: new Map([
        ["forgot.yaml", `apiVersion: planloom/v1\nkind: Workflow\nname: forgot\n${body}\n`],
      ]),
    }),
    ({ diagnostics }) => diagnostics.map(({ help }) => help),
  )

describe.each(Object.entries(bundledPlugins))("the manifest of %s", (name, load) => {
  it("in its package.json and in the table of the command is what its code contributes", async () => {
    const path = join(root, folderOf(name), "package.json")
    const { planloom } = JSON.parse(await readFile(path, "utf8")) as { planloom?: unknown }
    const wanted = firstPartyManifest(await load())
    assert.deepStrictEqual(planloom, wanted, "write it anew: pnpm manifests")
    assert.deepStrictEqual(bundledManifests[name], wanted, "write it anew: pnpm manifests")
  })
})

describe.each(Object.keys(bundledPlugins))("a workflow that does not declare %s", (name) => {
  it.effect("gets a diagnostic that suggests it, for each of its stage kinds and providers", () =>
    Effect.gen(function* () {
      const { providers, stages } = yield* Effect.promise(() => idsOf(name))
      const declare = `declare the plugin that has it: use: { plugins: ["${name}"] }`
      for (const kind of stages)
        assert.include(yield* helpFor(`stages: [{ id: one, uses: ${kind} }]`), declare, kind)
      for (const provider of providers) {
        const body = `models: { m: { try: [${provider}/x] } }\nstages: [{ id: one, uses: x, model: m }]`
        assert.include(yield* helpFor(body), declare, provider)
      }
    }),
  )
})
