/** Lists the promotions, of all currencies or of one. */
import { conciergeTool } from "../ConciergeTool.ts"
import { currency } from "../params.ts"

export const list_promotions = conciergeTool({
  name: "list_promotions",
  summary: "Lists the promotions that are valid now.",
  effect: "read",
  params: {
    type: "object",
    additionalProperties: false,
    properties: { to_currency: currency },
  },
  result: {
    type: "object",
    required: ["text", "promotions"],
    properties: {
      text: { type: "string" },
      promotions: {
        type: "array",
        items: {
          type: "object",
          required: ["id", "to_currency", "text"],
          properties: {
            id: { type: "string" },
            to_currency: { type: "string" },
            text: { type: "string" },
          },
        },
      },
    },
  },
  run: ({ to_currency: to }, { database, language }) => {
    const promotions = database
      .rows(
        "SELECT * FROM promotions WHERE ? IS NULL OR target = ? ORDER BY id",
        to ?? null,
        to ?? "",
      )
      .map((row) => ({
        id: String(row["id"]),
        to_currency: String(row["target"]),
        text: String(row[`text_${language}`]),
      }))
    const none = { en: "There are no promotions now.", es: "No hay promociones ahora." }
    return {
      text: promotions.length === 0 ? none[language] : promotions.map(({ text }) => text).join(" "),
      promotions,
    }
  },
})
