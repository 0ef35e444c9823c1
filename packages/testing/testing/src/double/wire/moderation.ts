/** The answer of `/moderations`: a part with the word "violence" is of that category. */
import type { JsonObject } from "@planloom/plugin/effect"

export const moderationOf = ({
  input,
  model = "omni-moderation-latest",
}: JsonObject): JsonObject => ({
  id: "modr-wire",
  model,
  results: [input ?? []].flat().map((part) => {
    const violence = String(part).toLowerCase().includes("violence")
    return {
      flagged: violence,
      categories: { violence },
      category_scores: { violence: violence ? 0.9 : 0.01 },
    }
  }),
})
