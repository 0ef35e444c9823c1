/** A published package says where it comes from, and its README has no link that ends outside of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../..")

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

const packages = readdirSync(join(root, "packages")).filter((name) => !name.includes("."))

describe.each(packages)("the package %s", (name) => {
  const folder = `packages/${name}`
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
