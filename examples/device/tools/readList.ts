/** A list the device keeps in a JSON file at the top of its folder. */
import type { Device } from "../Device.ts"
import { DeviceFailed } from "../DeviceFailed.ts"

/** Entries that `as` does not know are left out. A device without the file has none. */
export const readList = async <A>(
  file: string,
  { bytes, folder }: Pick<Device, "bytes" | "folder">,
  as: (value: { readonly [key: string]: unknown }) => A | undefined,
): Promise<ReadonlyArray<A>> => {
  // Lists are read whole or not at all: a part of one is not JSON.
  const excerpt = await folder.read(file, bytes * 16)
  if (excerpt === undefined) return []
  if (!excerpt.whole) throw new DeviceFailed(`${file} is too large to be read`)
  const read = parsed(new TextDecoder().decode(excerpt.bytes))
  if (!Array.isArray(read)) throw new DeviceFailed(`${file} does not hold a list`)
  return read.flatMap((value: unknown) => {
    const known = typeof value === "object" && value !== null ? as({ ...value }) : undefined
    return known === undefined ? [] : [known]
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
