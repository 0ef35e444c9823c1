/** A published package says where it comes from, and its README has no link that ends outside of it. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folderOf, packageFolders } from "../../../../.config/packageFolders.ts"
import { parse } from "yaml"

const root = join(import.meta.dirname, "../../../..")

interface Manifest {
  readonly homepage: string
  readonly bugs: { readonly url: string }
  readonly license: string
  readonly description: string
  readonly repository: { readonly url: string; readonly directory?: string }
  readonly files: ReadonlyArray<string>
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest

const { bugs, homepage, repository } = manifestOf(".")
const site = homepage.replace(/#.*$/, "")

describe.each([...packageFolders])("the package %s", (_, folder) => {
  const manifest = manifestOf(folder)

  it("has a repository, a homepage, a page for bugs, a license and a changelog", () => {
    expect(manifest).toMatchObject({
      repository: { ...repository, directory: folder },
      homepage: `${site}/tree/main/${folder}#readme`,
      bugs,
      license: "Apache-2.0",
      description: expect.stringMatching(/\w/),
      files: expect.arrayContaining(["CHANGELOG.md"]),
    })
  })

  it("has a README whose links are absolute or inside the package", () => {
    const readme = readFileSync(join(root, folder, "README.md"), "utf8")
    const links = [...readme.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!)
    const dead = links.filter((link) => {
      if (link.startsWith(`${site}/`))
        return !existsSync(
          join(root, link.slice(site.length).replace(/^\/(blob|tree)\/main\//, "")),
        )
      return (
        !/^https?:/.test(link) &&
        !(manifest.files.includes(link.split("/")[0]!) && existsSync(join(root, folder, link)))
      )
    })
    expect(dead).toEqual([])
  })
})

/** Packages that hosts install beside the command, with their ranges. */
const { hosts } = (
  parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")) as {
    readonly catalogs: { readonly hosts: { readonly [name: string]: string } }
  }
).catalogs

const versionIn = (folder: string, name: string): string | undefined => {
  const file = join(root, folder, "node_modules", name, "package.json")
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version
    : undefined
}

describe("a package that hosts install, too", () => {
  const dependencies = [...packageFolders].flatMap(([name, folder]) => {
    const { dependencies: own = {}, peerDependencies: peers = {} } = manifestOf(
      folder,
    ) as Manifest & {
      readonly dependencies?: { readonly [name: string]: string }
      readonly peerDependencies?: { readonly [name: string]: string }
    }
    return [...Object.entries(own), ...Object.entries(peers)].map(([to, range]) => ({
      from: name,
      to,
      range,
    }))
  })

  it("is every one that the command leaves to its users", () => {
    const left = dependencies.filter(
      ({ from, range, to }) =>
        from === "cli" && !range.startsWith("workspace:") && (range !== "catalog:" || to in hosts),
    )
    expect(left.map(({ to }) => to).toSorted()).toEqual(Object.keys(hosts).toSorted())
  })

  it.each(Object.keys(hosts))("%s is published as a range, and tested at its lower end", (name) => {
    const users = dependencies.filter(({ to }) => to === name)
    expect(users.map(({ from, range }) => `${from} ${range}`)).toEqual(
      users.map(({ from }) => `${from} catalog:hosts`),
    )
    const folders = users.map(({ from }) => folderOf(from))
    expect(hosts[name]).toBe(`^${folders.flatMap((one) => versionIn(one, name) ?? [])[0]}`)
  })

  it("is tested by `prove` in a newer version of the range", () => {
    const { dependencies: newest } = JSON.parse(
      readFileSync(join(root, "checks/sdks/package.json"), "utf8"),
    ) as { readonly dependencies: { readonly [name: string]: string } }
    for (const [name, version] of Object.entries(newest)) {
      const [, major, minor] = /^\^(\d+)\.(\d+)/.exec(hosts[name] ?? "")!
      const [, newMajor, newMinor] = /^(\d+)\.(\d+)/.exec(version)!
      expect(newMajor).toBe(major)
      expect(Number(newMinor)).toBeGreaterThan(Number(minor))
    }
  })
})
