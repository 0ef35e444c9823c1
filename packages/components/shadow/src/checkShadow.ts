/** Problems of the key `shadow`: reviewers and keys that could not act as they are written. */
import type { Known, Problem, Reference, ReviewerFacts, ValuePath } from "@planloom/plugin/effect"
import { classes, type ReviewerUse, type ShadowConfig } from "./ShadowConfig.ts"

interface Used {
  readonly one: ReviewerUse
  /** Location of the entry. */
  readonly place: ValuePath
  /** Location of the name. */
  readonly at: ValuePath
}

const usesIn = (config: ShadowConfig): ReadonlyArray<Used> =>
  (["gate", "async"] as const).flatMap((key) =>
    (config[key] ?? []).map((written, index) => ({
      one: typeof written === "string" ? { use: written } : written,
      place: [key, index],
      at: typeof written === "string" ? [key, index] : [key, index, "use"],
    })),
  )

export const shadowReferences = (config: ShadowConfig): ReadonlyArray<Reference> => [
  ...usesIn(config).flatMap(({ at, one, place }): ReadonlyArray<Reference> => [
    {
      to: "reviewer",
      id: one.use,
      at,
      ...(one.with === undefined ? {} : { with: one.with, withAt: [...place, "with"] }),
    },
    ...modelReference(one.model, [...place, "model"]),
  ]),
  ...modelReference(config.model, ["model"]),
]

/** `provider/model` is no name under `models:`. */
const modelReference = (model: string | undefined, at: ValuePath): ReadonlyArray<Reference> => {
  if (model === undefined) return []
  const slash = model.indexOf("/")
  return slash === -1
    ? [{ to: "model", id: model, at }]
    : [{ to: "provider", id: model.slice(0, slash), at }]
}

export const shadowProblems = (config: ShadowConfig, known: Known): ReadonlyArray<Problem> => {
  const used = usesIn(config)
  const facts = used.flatMap(({ one }) => known.reviewer(one.use) ?? [])
  return [
    ...(used.length === 0
      ? [
          problem(
            "SHADOW001",
            "no reviewer is named, so nothing is reviewed",
            [],
            "add `gate` or `async`",
          ),
        ]
      : []),
    ...used.flatMap((one) => {
      const about = known.reviewer(one.one.use)
      return about === undefined ? [] : useProblems(one, about)
    }),
    ...withoutAsync(config),
    ...idle(config, used, facts),
    ...repeated(used),
    ...unusedNames(config.confidence, "confidence", used),
    ...(["on_timeout", "on_error"] as const).flatMap((key) =>
      unusedNames(config[key], key, used.filter(isGate)),
    ),
  ]
}

const useProblems = (
  { at, one, place }: Used,
  { at: reads, can, id, kind, longest, spans }: ReviewerFacts,
): ReadonlyArray<Problem> => {
  const changes = can.filter((verdict) => verdict === "replace" || verdict === "enrich").join(", ")
  const found: Array<Problem> = []
  const add = (code: string, message: string, fix: string, path = at) =>
    found.push(problem(code, `"${id}" ${message}`, path, fix))
  const wholeInstead = "or let it read the whole text (`at: whole`)"
  if (reads === "window" && longest === undefined) {
    add(
      "SHADOW002",
      "reads parts of a text and does not declare the longest text that it may match",
      `add \`longest\` to it, ${wholeInstead}`,
    )
  }
  if (reads === "window" && changes !== "" && !spans) {
    add(
      "SHADOW003",
      `reads parts of a text and may change it (${changes}) without saying where`,
      `add \`spans: true\` to it, ${wholeInstead}`,
    )
  }
  if (reads === "input" && kind === "subagent" && changes !== "") {
    add(
      "SHADOW004",
      `reads the request, which no review can change (${changes})`,
      "a reviewer of the request can pass, flag or block it",
    )
  }
  if (reads === "input" && place[0] === "async") {
    add(
      "SHADOW008",
      "reads the request before the model is asked, and `async` reviews a reply that has left",
      "name it under `gate`",
    )
  }
  for (const name of ["model", "timeout"] as const) {
    if (kind === "validator" && one[name] !== undefined) {
      add("SHADOW005", `is a validator: it has no ${name}`, `remove \`${name}\``, [...place, name])
    }
  }
  return found
}

/** Keys about later reviews where there are none. */
const withoutAsync = (config: ShadowConfig): ReadonlyArray<Problem> =>
  config.async !== undefined
    ? []
    : (["async_timeout", "sample"] as const).flatMap((key) =>
        config[key] === undefined
          ? []
          : [
              problem(
                "SHADOW009",
                `\`${key}\` is about \`async\`, which names no reviewer`,
                [key],
                `remove \`${key}\`; reviewers of \`gate\` read every reply`,
              ),
            ],
      )

/** Keys about subagents where there are only validators. */
const idle = (
  config: ShadowConfig,
  used: ReadonlyArray<Used>,
  facts: ReadonlyArray<ReviewerFacts>,
): ReadonlyArray<Problem> =>
  // A reviewer that does not exist is reported by itself.
  facts.length < used.length || facts.some(({ kind }) => kind === "subagent")
    ? []
    : (["model", "timeout", "on_timeout", "budget", "breaker"] as const).flatMap((key) =>
        config[key] === undefined
          ? []
          : [
              problem(
                "SHADOW006",
                `\`${key}\` is about subagents, and only validators are named`,
                [key],
                `remove \`${key}\``,
              ),
            ],
      )

const isGate = ({ place }: Used): boolean => place[0] === "gate"

/** Policies and thresholds for ids that `used` does not have. Those by class are for reviewers to come, too. */
const unusedNames = (
  value: number | { readonly [name: string]: unknown } | undefined,
  key: string,
  used: ReadonlyArray<Used>,
): ReadonlyArray<Problem> => {
  if (typeof value !== "object") return []
  const ids = [...new Set(used.map(({ one }) => one.use))]
  return Object.keys(value)
    .filter((name) => !classes.some((one) => one === name) && !ids.includes(name))
    .map((name) =>
      problem(
        "SHADOW007",
        `"${name}" is neither a class of reviewers nor one that \`${key}\` is about`,
        [key, name],
        `classes are ${classes.join(", ")}; reviewers here are ${ids.join(", ")}`,
      ),
    )
}

/** The same reviewer with the same options finds the same twice. */
const repeated = (used: ReadonlyArray<Used>): ReadonlyArray<Problem> => {
  const keyOf = ({ one, place }: Used) => JSON.stringify([place[0], one.use, one.with ?? {}])
  return used
    .filter((one, index) => used.findIndex((other) => keyOf(other) === keyOf(one)) < index)
    .map(({ at, one, place }) =>
      problem(
        "SHADOW010",
        `"${one.use}" is named twice under \`${place[0]}\` with the same options`,
        at,
        "remove one of the two",
      ),
    )
}

const problem = (code: string, message: string, at: ValuePath, fix: string): Problem => ({
  code,
  message,
  at,
  fix,
})
