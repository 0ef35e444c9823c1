/** Reads yarn.lock of Yarn 1 and later versions, whose keys are the requested descriptors. */
import { combine, isRemote, nameIn, type Lock, type Origin } from "./Lock.ts"

export const yarnLock = (text: string): Lock => {
  const none: Lock = () => undefined
  // Neither version escapes names or addresses; a misread escape could hide an entry.
  if (text.includes("\\")) return none
  const origins = new Map<string, Array<Origin>>()
  let names: ReadonlyArray<string> = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === "" || line.startsWith("#") || line === ":") continue
    if (!line.startsWith(" ")) {
      // Yarn writes a very long key as `? "…"`, with the colon on its own line.
      const [, key] = /^(?:\? )?([^:\s].*?):?$/.exec(line) ?? []
      if (key === undefined || !(line.endsWith(":") || line.startsWith("? "))) return none
      const descriptors = key.replaceAll('"', "").split(/, ?/)
      names = descriptors.map(nameIn)
      for (const descriptor of descriptors) {
        const asked = descriptor.slice(nameIn(descriptor).length + 1)
        add(origins, [nameIn(descriptor)], isOfFolder(asked) ? "local" : undefined)
      }
    }
    const [, resolved] = /^ {2}resolved "?([^"]*)"?$/.exec(line) ?? []
    if (resolved !== undefined) add(origins, names, isRemote(resolved) ? "fetched" : "local")
    const [, resolution] = /^ {2}resolution: "?([^"]*)"?$/.exec(line) ?? []
    if (resolution !== undefined) {
      const source = resolution.slice(nameIn(resolution).length + 1)
      add(origins, names, source.startsWith("npm:") || isRemote(source) ? "fetched" : "local")
    }
  }
  return ({ name }) => combine(origins.get(name) ?? [])
}

/** Returns whether a descriptor refers to the folder; a patch does too. */
const isOfFolder = (asked: string): boolean =>
  /^(?:file|link|portal|workspace|patch|exec):|^\.{0,2}\//.test(asked)

const add = (
  origins: Map<string, Array<Origin>>,
  names: ReadonlyArray<string>,
  origin: Origin,
): void => {
  for (const name of names) origins.set(name, [...(origins.get(name) ?? []), origin])
}
