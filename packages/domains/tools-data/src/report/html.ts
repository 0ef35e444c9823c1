/** HTML templates that escape every value except markup created here. */

/** Markup that is safe to embed. Only this module's functions create it. */
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

/** Template tag: its text is markup, its values are escaped unless they are markup. Not named `html` because formatters rewrite that. */
export const markup = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(strings.map((text, index) => text + toText(parts[index])).join(""))
