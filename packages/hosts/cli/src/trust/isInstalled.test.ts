/** Which files count as installed, by what lockfiles, links and git say about their package. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { isInstalled } from "./isInstalled.ts"

const folderWith = (files: { readonly [path: string]: string }): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planloom-trust-")))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const plugin = "node_modules/@acme/tools/index.js"

/** Whether `@acme/tools` counts as installed beside these lockfiles. */
const installedWith = (locks: { readonly [file: string]: string }): boolean =>
  isInstalled(join(folderWith({ ...locks, [plugin]: "" }), plugin))

const npm = (entry: object) =>
  JSON.stringify({ lockfileVersion: 3, packages: { "node_modules/@acme/tools": entry } })
const pnpm = (key: string, resolution: string, more = "") =>
  `---\nlockfileVersion: '9.0'\n${more}\npackages:\n\n  '${key}':\n    resolution: ${resolution}\n    engines: {node: '>=20'}\n\nsnapshots:\n\n  '${key}': {}\n`
const berry = (key: string, resolution: string) =>
  `# yarn\n\n__metadata:\n  version: 8\n\n"${key}":\n  version: 1.0.0\n  resolution: "${resolution}"\n  linkType: hard\n`
const classic = (key: string, resolved: string) =>
  `# yarn lockfile v1\n\n\n"${key}":\n  version "1.0.0"\n${resolved}\n`
const patched =
  "\npatchedDependencies:\n  '@acme/tools@1.0.0':\n    hash: abc\n    path: patches/tools.patch\n"
const bun = (resolution: string, more = "") =>
  `{\n  "lockfileVersion": 1,\n${more}  "packages": {\n    "@acme/tools": ["${resolution}", "", {}, "sha512-x=="],\n  },\n}\n`
const registry = "https://registry.npmjs.org/@acme/tools/-/tools-1.0.0.tgz"

describe("a package that a lockfile names", () => {
  it.each([
    ["package-lock.json", npm({ version: "1.0.0", resolved: registry, integrity: "sha512-x" })],
    ["npm-shrinkwrap.json", npm({ version: "1.0.0", integrity: "sha512-x" })],
    ["pnpm-lock.yaml", pnpm("@acme/tools@1.0.0", "{integrity: sha512-x==}")],
    ["pnpm-lock.yaml", pnpm("/@acme/tools@1.0.0", "{integrity: sha512-x==}")],
    ["yarn.lock", berry("@acme/tools@npm:^1.0.0", "@acme/tools@npm:1.0.0")],
    ["yarn.lock", classic("@acme/tools@^1.0.0", `  resolved "${registry}#abc"`)],
    ["bun.lock", bun("@acme/tools@1.0.0")],
  ])("is installed when %s says that it was fetched", (file, text) => {
    expect(installedWith({ [file]: text })).toBe(true)
  })

  it.each([
    ["package-lock.json", npm({ resolved: "packages/tools", link: true })],
    ["package-lock.json", npm({ version: "1.0.0", resolved: "file:tools.tgz", integrity: "x" })],
    ["package-lock.json", npm({ version: "1.0.0", resolved: "git+file:///x.git#1" })],
    ["pnpm-lock.yaml", pnpm("@acme/tools@file:tools", "{directory: tools, type: directory}")],
    ["pnpm-lock.yaml", pnpm("@acme/tools@file:t.tgz", "{integrity: x, tarball: file:t.tgz}")],
    ["pnpm-lock.yaml", pnpm("@acme/tools@1.0.0", "{integrity: x}", patched)],
    ["pnpm-lock.yaml", pnpm("@acme/tools@1.0.0", "\n      type: directory")],
    ["yarn.lock", berry("@acme/tools@file:./tools", "@acme/tools@file:./tools#./tools::hash=1")],
    ["yarn.lock", berry("@acme/tools@workspace:tools", "@acme/tools@workspace:tools")],
    ["yarn.lock", berry("@acme/tools@portal:tools", "@acme/tools@portal:tools::locator=x")],
    ["yarn.lock", berry("@acme/tools@patch:@acme/tools@npm%3A1", "@acme/tools@patch:x#./p.patch")],
    ["yarn.lock", classic("@acme/tools@file:./tools", "")],
    ["yarn.lock", classic("@acme/tools@file:./t.tgz", '  resolved "file:./t.tgz#abc"')],
    [
      "yarn.lock",
      classic("@acme/tools@^1", `  resolved "${registry}"\n\n"@acme\\u002ftools@link:x":`),
    ],
    ["bun.lock", bun("@acme/tools@file:./tools")],
    ["bun.lock", bun("@acme/tools@workspace:tools")],
    [
      "bun.lock",
      bun("@acme/tools@1.0.0", '  "patchedDependencies": { "@acme/tools@1.0.0": "p" },\n'),
    ],
  ])("is code of the folder when %s takes it from there: %s", (file, text) => {
    expect(installedWith({ [file]: text })).toBe(false)
  })

  it("is code of the folder if one of two lockfiles takes it from there", () => {
    const locks = {
      "package-lock.json": npm({ resolved: registry, integrity: "x" }),
      "yarn.lock": classic("@acme/tools@file:./tools", ""),
    }
    expect(installedWith(locks)).toBe(false)
  })

  it("is installed if it is in pnpm's store below the lockfile", () => {
    const path = "node_modules/.pnpm/@acme+tools@1.0.0/node_modules/@acme/tools/index.js"
    const lock = pnpm("@acme/tools@1.0.0", "{integrity: sha512-x==}")
    const folder = folderWith({ "pnpm-lock.yaml": lock, [path]: "" })
    expect(isInstalled(join(folder, path))).toBe(true)
  })
})

describe("a package that no lockfile names", () => {
  it.each([
    ["there is none", {}],
    ["it names others", { "package-lock.json": JSON.stringify({ packages: { "": {} } }) }],
    ["it cannot be parsed", { "package-lock.json": "{" }],
    [
      "it came with the package",
      { "node_modules/@acme/package-lock.json": npm({ integrity: "x" }) },
    ],
  ])("is code of the folder: %s", (_, locks) => {
    expect(installedWith(locks)).toBe(false)
  })

  it("is code of the folder if it is outside node_modules", () => {
    expect(isInstalled(join(folderWith({ "plugin.mjs": "" }), "plugin.mjs"))).toBe(false)
  })
})

describe("a package in a git repository", () => {
  const lock = { "package-lock.json": npm({ resolved: registry, integrity: "x" }) }
  const git = (cwd: string, ...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd, stdio: "ignore" })

  it("is installed unless git tracks it; then it is code of the folder", () => {
    const untracked = folderWith({ ...lock, [plugin]: "" })
    git(untracked, "init")
    git(untracked, "add", "package-lock.json")
    expect(isInstalled(join(untracked, plugin))).toBe(true)
    const tracked = folderWith({ ...lock, [plugin]: "" })
    git(tracked, "init")
    git(tracked, "add", "--force", plugin)
    expect(isInstalled(join(tracked, plugin))).toBe(false)
  })

  it("is code of the folder if the package is its own repository", () => {
    const folder = folderWith({ ...lock, [plugin]: "" })
    git(join(folder, "node_modules/@acme/tools"), "init")
    expect(isInstalled(join(folder, plugin))).toBe(false)
  })

  it("is code of the folder if git cannot read the repository", () => {
    const folder = folderWith({ ...lock, [plugin]: "" })
    git(folder, "init")
    writeFileSync(join(folder, ".git/index"), "broken")
    expect(isInstalled(join(folder, plugin))).toBe(false)
  })

  it("is checked without running a program of the repository's settings", () => {
    const folder = folderWith({ ...lock, [plugin]: "" })
    git(folder, "init")
    git(folder, "add", "package-lock.json")
    const witness = join(folder, "witness")
    writeFileSync(join(folder, "hook"), `#!/bin/sh\ntouch '${witness}'\n`, { mode: 0o755 })
    git(folder, "config", "core.fsmonitor", join(folder, "hook"))
    expect(isInstalled(join(folder, plugin))).toBe(true)
    expect(() => realpathSync(witness)).toThrow("ENOENT")
  })
})

it("a package that is linked into the folder is located at the link's target", () => {
  const folder = folderWith({ "packages/tools/index.js": "" })
  mkdirSync(join(folder, "node_modules/@acme"), { recursive: true })
  symlinkSync("../../packages/tools", join(folder, "node_modules/@acme/tools"))
  expect(isInstalled(realpathSync(join(folder, plugin)))).toBe(false)
})
