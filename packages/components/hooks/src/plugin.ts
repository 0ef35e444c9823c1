/** The plugin of `use.plugins` for the keys `hooks` and `experiments`, files of kind `HookSet`, and the standard hooks. */
import { definePlugin } from "@planloom/plugin/effect"
import { experimentsSection } from "./experimentsSection.ts"
import { hookSetKind } from "./hookSetKind.ts"
import { hooksSection } from "./hooksSection.ts"
import { standardHooks } from "./standard/index.ts"

export default definePlugin({
  id: "hooks",
  summary:
    "The keys `hooks` of workflows and stages and `experiments` of workflows, and hook sets, and the standard hooks.",
  components: {
    fileKinds: [hookSetKind],
    hooks: standardHooks,
    sections: [hooksSection("workflow"), hooksSection("stage"), experimentsSection],
  },
})
