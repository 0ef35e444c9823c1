/** The plugin of `use.plugins` for the keys `hooks` and `experiments`, and files of kind `HookSet`. */
import { definePlugin } from "@planloom/plugin/effect"
import { experimentsSection } from "./experimentsSection.ts"
import { hookSetKind } from "./hookSetKind.ts"
import { hooksSection } from "./hooksSection.ts"

export default definePlugin({
  id: "hooks",
  summary:
    "The keys `hooks` of workflows and stages and `experiments` of workflows, and hook sets.",
  components: {
    fileKinds: [hookSetKind],
    sections: [hooksSection("workflow"), hooksSection("stage"), experimentsSection],
  },
})
