/** Whether two English words are of one family: `survived` and `survival`, `smokers` and `smoking`, `paid` and `payment`. */

/** Quirk et al. (1985), 3.3–3.20 and I.20–I.40: inflection and agent nouns, then derivation. */
const light = "ied ed d ing er or".split(" ")
const heavy =
  "ations ation itions ition issions ission tions tion ions ion ssions ssion tted ments ment als al ance ence ity ness ship ive ous able ible ant ent ure ese ian an ish ic y".split(
    " ",
  )

const irregular = new Map(
  [
    "pay paid",
    "sell sold",
    "buy bought",
    "spend spent",
    "win won",
    "lose lost loss",
    "leave left",
    "write wrote written",
    "drive drove driven",
    "ship shipped",
    "die died dead death deceased",
    "live alive life",
    "marry married marriage",
    "choose chose chosen",
    "weigh weight",
    "grow grew grown growth",
    "give gave given",
    "take took taken",
    "speak spoke spoken",
    "teach taught",
    "build built",
    "steal stole stolen theft",
    "arrive arrived arrival",
  ].flatMap((family) => {
    const [first, ...forms] = family.split(" ") as [string, ...ReadonlyArray<string>]
    return forms.map((form) => [form, first] as const)
  }),
)

/** How much was cut: nothing, an inflection, a mute e, or a derivation. */
type Cut = "whole" | "light" | "mute" | "heavy"

const rootsOf = (plain: string): ReadonlyArray<readonly [root: string, cut: Cut]> => {
  const without = (endings: ReadonlyArray<string>, cut: Cut) =>
    endings.flatMap((ending): ReadonlyArray<readonly [string, Cut]> => {
      if (!plain.endsWith(ending)) return []
      const rest = plain.slice(0, -ending.length)
      if (rest.length < 3) return []
      const single = rest.replace(/([^aeiouys])\1$/, "$1")
      return [[ending === "ied" ? `${rest}y` : single, cut]]
    })
  return [
    [plain, "whole"],
    ...without(light, "light"),
    ...without(["e"], "mute"),
    ...without(heavy, "heavy"),
  ]
}

/** Letters that two roots must share; `car` is no `care`, and a `station` no `state`. */
const leastOf = (left: Cut, right: Cut): number => {
  const cuts = new Set([left, right])
  if (cuts.has("mute")) return cuts.has("light") ? 4 : Infinity
  if (cuts.has("whole") || !cuts.has("heavy")) return 3
  return 5
}

/** Both words are lower case and singular. */
export const isRelated = (left: string, right: string): boolean => {
  if (left === right) return true
  if (left.length < 3 || right.length < 3) return false
  const one = irregular.get(left) ?? left
  const two = irregular.get(right) ?? right
  // Roots have three letters at least, and begin as their words do.
  if (!two.startsWith(one.slice(0, 3))) return false
  const roots = rootsOf(two)
  return rootsOf(one).some(([root, cut]) =>
    roots.some(([other, by]) => root === other && root.length >= leastOf(cut, by)),
  )
}
