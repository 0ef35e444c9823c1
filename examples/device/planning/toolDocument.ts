/** A tool as the index reads it. */
import type { IndexDocument, Tool } from "@planloom/plugin/effect"

export const documentOf = ({
  examples,
  keywords,
  name,
  summary,
  when_to_use: when,
}: Tool): IndexDocument => ({
  id: name,
  fields: {
    name: name.replaceAll("_", " "),
    summary,
    ...(when === undefined ? {} : { when_to_use: when }),
    ...(keywords === undefined ? {} : { keywords: keywords.join(" ") }),
  },
  ...(examples === undefined ? {} : { examples }),
})
