/** The layers as ARCHITECTURE.md has them in its tables, and the import that they do not allow. */
export interface Layers {
  /** By package: what it may import of the others, as `plugin`, or one entry of it, as `documents/read`. */
  readonly packages: ReadonlyMap<string, ReadonlyArray<string>>
  /** By package: its folders in the order of the data, so that each may import those before it. */
  readonly folders: ReadonlyMap<string, ReadonlyArray<string>>
  /** By package: packages of which it may import types only. */
  readonly types: ReadonlyMap<string, ReadonlyArray<string>>
}

export interface Import {
  /** `packages/engine/core/src/run/run.ts`. */
  readonly file: string
  /** As written: `@planloom/plugin`, `../model/callModel.ts`. */
  readonly name: string
  readonly isType?: boolean
}

/** Of the text of ARCHITECTURE.md. */
export const layersOf = (text: string): Layers => {
  const packages = new Map<string, ReadonlyArray<string>>()
  const types = new Map<string, ReadonlyArray<string>>()
  const folders = new Map<string, Array<string>>()
  let owner: string | undefined
  for (const line of text.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim())
    const named = [...(cells[cells.length === 6 ? 2 : 1] ?? "").matchAll(/`([^`]+)`/g)]
    const names = named.map(([, name]) => name!)
    const ofFolders = /^folder of `(.+)`$/.exec(cells[1] ?? "")
    if (ofFolders !== null) owner = ofFolders[1]
    else if (cells.length === 6 && names.length > 0) {
      const entries = cells[4]!.split(", ").filter((entry) => entry !== "nothing")
      for (const name of names) {
        packages.set(name, entries.map(withoutTypes))
        types.set(name, entries.filter((entry) => entry !== withoutTypes(entry)).map(withoutTypes))
      }
    } else if (cells.length === 4 && owner !== undefined && names[0]?.endsWith("/") === true) {
      const folder = names[0].split("/")[0]!
      const known = folders.get(owner) ?? []
      if (!known.includes(folder)) folders.set(owner, [...known, folder])
    }
  }
  return { packages, folders, types }
}

/** `types of language` is about `language`. */
const withoutTypes = (entry: string): string => entry.replace(/^types of /, "")

/** Undefined for an import that is allowed. */
export const problemOf = (layers: Layers, { file, isType = false, name }: Import) => {
  const [, owner = "", path = ""] = /^packages\/[\w-]+\/([\w-]+)\/src\/(.+)$/.exec(file) ?? []
  if (name.startsWith(".")) return folderProblem(layers, owner, path, name)
  const allowed = layers.packages.get(owner)
  if (allowed === undefined) return `ARCHITECTURE.md has no package "${owner}"`
  if (owner === "planning" && impure.test(name)) {
    return "planning is pure: do the effect in a stage, and pass its result in"
  }
  if (owner === "create-planloom" && /^effect(\/|$)/.test(name)) {
    return "create-planloom needs Node alone"
  }
  const [, imported, entry = ""] = /^(?:@planloom\/)([\w-]+)(\/.+)?$/.exec(name) ?? []
  if (imported === undefined || imported === owner) return undefined
  if (layers.types.get(owner)!.includes(imported) && !isType) {
    return `${owner} may import types of ${imported} only`
  }
  const isAllowed =
    allowed[0] === "everything" || allowed.includes(imported) || allowed.includes(imported + entry)
  return isAllowed
    ? undefined
    : `${owner} may import ${allowed.length === 0 ? "no other package" : allowed.join(", ")}`
}

const impure = /^(node:|effect\/(Effect|Stream|Fiber|Layer|Runtime|Schedule|Ref|Queue|PubSub)$)/

const folderProblem = (layers: Layers, owner: string, path: string, name: string) => {
  const order = layers.folders.get(owner)
  if (order === undefined) return undefined
  const target = new URL(name, `file:///${path}`).pathname.slice(1)
  if (target === "index.ts") return "import the file that owns the name, not index.ts"
  const at = order.indexOf(path.split("/")[0]!)
  const next = order.indexOf(target.split("/")[0]!)
  return at >= 0 && next > at
    ? `${order[at]}/ comes before ${order[next]}/ in the order of the data`
    : undefined
}

/** The imports of a file, also those that are made while it runs; without those of code that it writes. */
export const importsOf = (file: string, source: string): ReadonlyArray<Import> => {
  const text = source.replaceAll(/`(?:[^`\\]|\\.)*`/gs, "``")
  return [
    ...[...text.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"/gm)].map(
      ([, type, name]) => ({ file, name: name!, isType: type !== undefined }),
    ),
    ...[...text.matchAll(/^import "([^"]+)"|\bimport\("([^"]+)"\)(?!\.)/gm)].map(
      ([, bare, called]) => ({ file, name: (bare ?? called)! }),
    ),
  ]
}
