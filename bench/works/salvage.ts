/** Reading a malformed reply of 4 KB. */
import { parse } from "@planloom/salvage"
import type { Start } from "./Work.ts"

const item = (index: number) =>
  `{name: 'Item ${index}', "price": ${index}.50, "tags": ["a" "b",], note: "a \\"quoted\\" word",}`
const text = `Here is the list:\n\`\`\`json\n[${Array.from({ length: 50 }, (_, index) => item(index)).join("\n")}]\n\`\`\`\nThat is all.`

const schema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      price: { type: "number" },
      tags: { type: "array", items: { type: "string" } },
      note: { type: "string" },
    },
    required: ["name", "price", "tags", "note"],
  },
} as const

export const start: Start = async () => async () => {
  const read = parse(text, schema)
  if (!("value" in read) || (read.value as ReadonlyArray<unknown>).length !== 50)
    throw new Error(JSON.stringify(read).slice(0, 300))
}
