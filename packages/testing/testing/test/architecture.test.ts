/** That ARCHITECTURE.md says of each package what its package.json says. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { packageFolders } from "../../../../.config/packageFolders.ts"
import { layersOf } from "./layersOf.ts"

const root = join(import.meta.dirname, "../../../..")

const { packages: allowed } = layersOf(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"))

it("names every package, and what it depends on", () => {
  expect([...allowed.keys()].toSorted()).toEqual([...packageFolders.keys()].toSorted())
  for (const [name, folder] of packageFolders) {
    if (allowed.get(name)!.join() === "everything") continue
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(root, folder, "package.json"), "utf8"),
    ) as { readonly [kind: string]: { readonly [name: string]: string } }
    const ours = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
      .filter((one) => one.startsWith("@planloom/"))
      .map((one) => one.slice("@planloom/".length))
    const named = new Set(allowed.get(name)!.map((entry) => entry.split("/")[0]))
    expect([...named].toSorted(), name).toEqual(ours.toSorted())
  }
})
