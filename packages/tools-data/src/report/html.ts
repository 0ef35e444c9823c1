/** HTML text out of values: everything that is not markup made here is escaped. */

/** Markup that is safe to put in a page. Only this module's functions make it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const escape = (value: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

type Part = Html | string | number | undefined | false | ReadonlyArray<Html>

const toText = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (part instanceof Html) return part.text
  if (typeof part === "object") return part.map(({ text }) => text).join("")
  return escape(String(part))
}

/** A template (not named `html`, whose contents formatters rewrite): its own text is markup, every value in it is escaped unless it is markup already. */
export const markup = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(strings.map((text, index) => text + toText(parts[index])).join(""))
