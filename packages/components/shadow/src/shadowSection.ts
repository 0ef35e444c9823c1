/** The key `shadow` of workflows and stages. */
import { sectionKind, type SectionKind } from "@planloom/plugin/effect"
import { shadowProblems, shadowReferences } from "./checkShadow.ts"
import { shadowGate } from "./gate/shadowGate.ts"
import { reviewLater, reviewLaterMs } from "./gate/reviewLater.ts"
import { queueReply } from "./queue/queueReply.ts"
import { GateReplies } from "./queue/ReviewerReplies.ts"
import { Panel } from "./review/Panel.ts"
import { reviewCounts } from "./gate/reviewCounts.ts"
import { shadowSchema, type ShadowConfig } from "./ShadowConfig.ts"

export const shadowSection = (on: "workflow" | "stage"): SectionKind =>
  sectionKind<ShadowConfig>({
    on,
    key: "shadow",
    summary:
      on === "workflow"
        ? "Reviewers of the replies of all stages, before and after users see them."
        : "Reviewers of the replies of this stage; they take the place of those of the workflow.",
    schema: shadowSchema,
    refers: shadowReferences,
    check: shadowProblems,
    bind: (config, known) => {
      const panel = new Panel(config)
      const members = panel.members(config.gate ?? [], known.reviewer)
      const queue = queueReply(config)
      const later = panel.members(config.async ?? [], known.reviewer, members.length)
      const reviews = reviewCounts(members, later)
      if (later.length === 0) return { gate: { ...shadowGate(panel, members, queue), reviews } }
      const kept = new GateReplies()
      const gate = shadowGate(panel, members, (reply, about, context) => {
        kept.keep(context, reply.replies)
        return queue(reply, about, context)
      })
      const validators = members.filter(
        ({ facts }) => facts.kind === "validator" && facts.at !== "input",
      )
      const after = reviewLater(panel, later, validators, ({ replies, ...reply }, about, context) =>
        queue({ ...reply, replies: { ...kept.take(context), ...replies } }, about, context),
      )
      return { gate: { ...gate, reviews, after, afterMs: reviewLaterMs(config) } }
    },
  })
