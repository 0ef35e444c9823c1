/** Formats a refusal: the message, then the indented help. */
import type { Refused } from "../Refused.ts"
import type { Style } from "./Style.ts"
import { visible } from "./text.ts"

export const refusalText = ({ help, message }: Refused, style: Style): string => {
  const head = `${style.bold(style.bad("error"))}: ${visible(message)}`
  if (help === undefined) return head
  const [first, ...rest] = visible(help).split("\n")
  return [head, `  ${style.dim("help:")} ${first}`, ...rest.map((line) => `        ${line}`)].join(
    "\n",
  )
}
