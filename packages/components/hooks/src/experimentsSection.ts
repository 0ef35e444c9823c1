/** The key `experiments` of workflows: which variant of what a run has. */
import * as Effect from "effect/Effect"
import {
  runStatuses,
  sectionKind,
  type JsonSchema,
  type SectionKind,
} from "@planloom/plugin/effect"
import { assignVariant } from "./experiments/assignVariant.ts"
import {
  experimentProblems,
  experimentsSchema,
  type Experiments,
} from "./experiments/Experiment.ts"

export const experimentsSection: SectionKind = sectionKind<Experiments>({
  on: "workflow",
  key: "experiments",
  summary:
    "Experiments: each run has one variant of each, assigned by a hash of its user, session or id.",
  schema: experimentsSchema,
  check: (experiments, { hasSession = false, user }) =>
    experimentProblems(experiments, { hasSession, hasUserId: hasId(user) }),
  expressions: (experiments, { outputs = true }) =>
    Object.entries(experiments).flatMap(([name, { outcome }]) =>
      outcome === undefined
        ? []
        : [
            {
              at: [name, "outcome"],
              variables: { outputs, status: { enum: [...runStatuses] } },
              result: { type: ["boolean", "number"] },
            },
          ],
    ),
  variables: (experiments) =>
    Object.fromEntries(
      Object.entries(experiments).map(([name, { variants }]) => [
        name,
        { enum: Object.keys(variants) },
      ]),
    ),
  bind: (experiments) => ({
    variants: (context) =>
      Effect.map(
        Effect.forEach(Object.entries(experiments), ([name, experiment]) =>
          Effect.map(
            assignVariant(name, experiment, context),
            (assignment) => [name, assignment] as const,
          ),
        ),
        (entries) => Object.fromEntries(entries),
      ),
  }),
})

const hasId = (user: JsonSchema | undefined): boolean =>
  typeof user === "object" &&
  Object.hasOwn((user as { readonly properties?: object }).properties ?? {}, "id")
