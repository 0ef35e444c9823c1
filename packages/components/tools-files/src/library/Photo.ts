/** A photo's EXIF data: when, with what and where it was taken. */
import { readStart } from "@planloom/documents/read"

export interface Photo {
  /** `2025-06-14T17:42:00`, in the camera's own time; absent when the file does not say. */
  readonly taken?: string
  readonly camera?: string
  readonly description?: string
  readonly place?: { readonly latitude: number; readonly longitude: number }
}

const two = (value: number): string => String(value).padStart(2, "0")

/** Cameras write local time without a zone; it stays as written. */
const asWritten = (value: unknown): string | undefined => {
  const found =
    typeof value === "string" ? /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(value) : null
  if (found === null) return undefined
  const [, year, month, day, hour, minute, second] = found.map(Number)
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31) return undefined
  return `${year}-${two(month!)}-${two(day!)}T${two(hour!)}:${two(minute!)}:${two(second!)}`
}

const line = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200) : undefined

/** Bytes at the start of a photo that hold its EXIF segment. */
const START = 256 * 1024

/** Empty for a file without EXIF, or with one that cannot be read: a photo is found by its caption then. */
export const readPhoto = async (path: string): Promise<Photo> => {
  const { default: exifr } = await import("exifr")
  const excerpt = await readStart(path, START)
  if (excerpt === undefined) return {}
  const start = Buffer.from(excerpt.bytes)
  const tags: { readonly [tag: string]: unknown } | undefined = await exifr
    .parse(start, { reviveValues: false, gps: true })
    .catch(() => undefined)
  if (tags === undefined) return {}
  const taken = asWritten(tags["DateTimeOriginal"]) ?? asWritten(tags["CreateDate"])
  const camera = [line(tags["Make"]), line(tags["Model"])].filter((part) => part !== undefined)
  const description = line(tags["ImageDescription"])
  const { latitude, longitude } = tags
  return {
    ...(taken === undefined ? {} : { taken }),
    ...(camera.length === 0 ? {} : { camera: camera.join(" ") }),
    ...(description === undefined ? {} : { description }),
    ...(typeof latitude === "number" && typeof longitude === "number"
      ? { place: { latitude, longitude } }
      : {}),
  }
}
