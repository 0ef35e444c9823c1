/** Files and photos as the index reads them. */
import type { IndexDocument } from "@planloom/plugin/effect"
import type { Entry } from "./EntryReader.ts"

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

export const fileDocument = ({ path, text, type }: Entry): IndexDocument => ({
  id: path,
  fields: {
    name: nameOf(path).replace(/\.[^.]+$/, ""),
    group: folderOf(path),
    text,
    keywords: type,
  },
})

const months =
  "January February March April May June July August September October November December"
const seasons = ["winter", "spring", "summer", "autumn"]

/** `June 2025 summer`: photos are asked for by season too. */
const timeWords = (taken: string | undefined): string => {
  if (taken === undefined) return ""
  const month = Number(taken.slice(5, 7))
  return `${months.split(" ")[month - 1]} ${taken.slice(0, 4)} ${seasons[Math.floor((month % 12) / 3)]}`
}

export const photoDocument = ({ path, photo, text }: Entry): IndexDocument => ({
  id: path,
  fields: {
    name: photo?.description ?? "",
    group: folderOf(path),
    summary: text,
    keywords: `${timeWords(photo?.taken)} ${photo?.camera ?? ""}`,
  },
})
