/** Comments, the linter's configuration and the pages for developers name only packages, files and folders that exist. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")

const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "")

const textOf = (file: string) => readFileSync(join(root, file), "utf8")

/** Every file and every folder of the repository, as paths from its root. */
const paths = new Set(files)
for (const file of files) {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) paths.add(folder)
}

const packages = new Set(
  files
    .filter((file) => /(^|\/)package\.json$/.test(file))
    .map((file) => (JSON.parse(textOf(file)) as { readonly name: string }).name),
)

interface Place {
  readonly place: string
  readonly text: string
}

/** Lines of pages, of the linter's configuration, and of comments: what no other check reads. */
const prose: ReadonlyArray<Place> = files
  .filter((file) => /^(packages|\.ci|\.config|bench)\/.*\.ts$|^\.oxlintrc\.json$|\.md$/.test(file))
  .filter((file) => !file.startsWith(".changeset/"))
  .flatMap((file) =>
    textOf(file)
      .split("\n")
      .map((text, index) => ({ place: `${file}:${index + 1}`, text }))
      .filter(({ text }) => !file.endsWith(".ts") || /^\s*(\/?\*|\/\/)|\s\/\/\s/.test(text)),
  )

/** Diagnostics of missing plugins name one that is missing. */
const missingOnPurpose: ReadonlySet<string> = new Set(["@planloom/stage"])

/** Pages for users show files of the users' projects. */
const ofUsers = (place: string) =>
  /^(docs|README)|README\.md:|^packages\/hosts\/create-planloom\/templates\//.test(place)

it("every package that is named exists", () => {
  const gone = prose.flatMap(({ place, text }) =>
    [...text.matchAll(/@planloom\/[a-z][a-z0-9-]*(?![a-z0-9-]*[<*{])/g)]
      .map(([name]) => name)
      .filter((name) => !packages.has(name) && !missingOnPurpose.has(name))
      .map((name) => `${place}: ${name}`),
  )
  expect(gone).toEqual([])
})

it("every file and folder of the repository that is named exists", () => {
  const named =
    /(?<![\w/.@-])(?:packages|\.ci|\.config|bench|checks|deploy|examples|docs)(?:\/[\w.-]+)+(?![\w./-]*[<*{])/g
  const gone = prose
    .filter(({ place }) => !ofUsers(place))
    .flatMap(({ place, text }) =>
      [...text.matchAll(named)]
        .map(([path]) => path.replace(/[.,]+$/, ""))
        .filter((path) => !paths.has(path))
        .map((path) => `${place}: ${path}`),
    )
  expect(gone).toEqual([])
})

it("every folder that a rule of the linter is for exists", () => {
  const gone = [...textOf(".oxlintrc.json").matchAll(/"(packages\/[\w-]+\/[\w-]+)\//g)]
    .map(([, folder]) => folder ?? "")
    .filter((folder) => !paths.has(folder) && !folder.endsWith("-"))
  expect(gone).toEqual([])
})

it("every file in a table of the architecture exists in its package", () => {
  const gone = textOf("ARCHITECTURE.md")
    .split("\n")
    .flatMap((line) => [...line.matchAll(/`([a-z-]+\/(?:src|test)\/[\w./-]+)`/g)])
    .filter(([, path]) => ![...paths].some((known) => known.endsWith(`/${path}`)))
    .map(([, path]) => path)
  expect(gone).toEqual([])
})
