/** Plugin that registers the embedded index. */
import { definePlugin } from "@planloom/plugin/effect"
import { embedded } from "./embedded.ts"

export default definePlugin({
  id: "retrieval",
  summary: "An embedded hybrid index over tool metadata.",
  components: { indexes: [embedded] },
})
