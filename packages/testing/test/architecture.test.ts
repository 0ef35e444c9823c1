/** That ARCHITECTURE.md says of each package what its package.json says. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../..")

/** By package: what the table says it may import. Several packages may share a row. */
const allowed = new Map(
  readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const cells = line.split("|").map((cell) => cell.trim())
      if (cells.length !== 5 || !cells[1]!.startsWith("`") || cells[1]!.includes("/")) return []
      const names = [...cells[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
      const imported = cells[3]!.split(", ").filter((name) => name !== "nothing")
      return names.map((name) => [name, imported.toSorted()] as const)
    }),
)

it("names every package, and what it depends on", () => {
  const packages = readdirSync(join(root, "packages")).filter((name) => !name.includes("."))
  expect([...allowed.keys()].toSorted()).toEqual(packages.toSorted())
  for (const name of packages) {
    if (allowed.get(name)!.join() === "everything") continue
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(root, "packages", name, "package.json"), "utf8"),
    ) as { readonly [kind: string]: { readonly [name: string]: string } }
    const ours = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
      .filter((one) => one.startsWith("@planloom/"))
      .map((one) => one.slice("@planloom/".length))
    expect(
      allowed.get(name)!.filter((one) => one !== "effect"),
      name,
    ).toEqual(ours.toSorted())
  }
})

it("names for each behavior a file that is there and exports what does it", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
  const rows = [...text.matchAll(/^\| ([^|]+) \| `([^`]+\.ts)` \| `(\w+)` \|$/gm)]
  expect(rows.length).toBeGreaterThanOrEqual(40)
  const missing = rows.filter(([, , file, name]) => {
    const path = join(root, "packages", file!)
    if (!existsSync(path)) return true
    return !new RegExp(`^export (const|class|function) ${name}\\b`, "m").test(
      readFileSync(path, "utf8"),
    )
  })
  expect(missing.map(([row]) => row)).toEqual([])
})
