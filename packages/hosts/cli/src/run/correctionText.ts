/** Formats that an output that has been shown is corrected. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { Style } from "../terminal/Style.ts"
import { oneLine } from "../terminal/text.ts"

export type Corrected = Extract<RunEvent, { readonly type: "OutputCorrected" }>

const wordings: { readonly [action in Corrected["action"]]: string } = {
  retract: "is retracted",
  replace: "is corrected",
  append: "is extended",
  annotate: "stays, and people review it",
}

export const correctionText = ({ action, name }: Corrected, style: Style): string =>
  style.warn(`${oneLine(name)} ${wordings[action]}`)
