/**
 * Plan-like documents at random, in two sets of shapes: rules are written with those of `seen` in view, those of `unseen` only
 * measure them.
 */

export type Value = string | number | boolean | null | ReadonlyArray<Value> | Fields
export interface Fields {
  readonly [name: string]: Value
}

export interface Dice {
  readonly below: (limit: number) => number
  readonly one: <A>(choices: ReadonlyArray<A>) => A
}

export const diceOf = (seed: number): Dice => {
  let state = (seed * 2_654_435_761) >>> 0
  const below = (limit: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
  for (let i = 0; i < 8; i++) below(2)
  return { below, one: (choices) => choices[below(choices.length)]! }
}

const TEXTS =
  "Oslo|send the mail|find [1] and {2}|rows where x > 3, y < 2|it is done|a: b, c: d|2026-01-05|read_file|}, {|items[0].id|SELECT * FROM t|f(x)[0]}".split(
    "|",
  )
const WORDS = "search,fetch,merge,report,check,load,notify,rank,split,join".split(",")

const times = <A>(count: number, make: (index: number) => A): Array<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const scalar = (dice: Dice): Value =>
  dice.one<() => Value>([
    () => dice.one(TEXTS),
    () => dice.one(TEXTS),
    () => dice.below(1000),
    () => dice.below(2) === 0,
    () => null,
  ])()

const some = (dice: Dice, depth: number): Value => {
  const kind = dice.below(depth > 2 ? 3 : 6)
  if (kind < 3) return scalar(dice)
  if (kind === 3) return times(1 + dice.below(3), () => scalar(dice))
  if (kind === 4)
    return times(1 + dice.below(2), () => ({ key: dice.one(WORDS), of: some(dice, depth + 1) }))
  return { mode: dice.one(WORDS), with: some(dice, depth + 1) }
}

/** Steps with arguments in plans, phases and groups; calls, trees of nodes, rows of rows, stages with settings in settings. */
export const seen = (dice: Dice): Value => {
  let count = 0
  const step = (): Value => ({
    id: `s${++count}`,
    tool: dice.one(WORDS),
    args: Object.fromEntries(
      times(1 + dice.below(3), (index) => [`arg${index}`, some(dice, 0)] as const),
    ),
    ...(dice.below(2) === 0 ? { after: times(dice.below(3), () => `s${1 + dice.below(9)}`) } : {}),
  })
  const steps = () => times(2 + dice.below(3), step)
  const call = (): Value => ({
    function: { name: dice.one(WORDS), arguments: { input: some(dice, 0), limit: dice.below(50) } },
  })
  const node = (depth: number): Value => ({
    name: dice.one(WORDS),
    ...(depth > 0 && dice.below(3) > 0
      ? { children: times(1 + dice.below(3), () => node(depth - 1)) }
      : { value: some(dice, 1) }),
  })
  const stage = (at: number): Value => ({
    settings: { retry: { times: dice.below(5), wait: { ms: dice.below(900) } } },
    inputs: times(1 + dice.below(3), () => ({ from: dice.one(WORDS), path: [dice.below(9), "x"] })),
    stage: at,
  })
  return dice.one<() => Value>([
    () => ({ steps: steps() }),
    () => ({ goal: dice.one(TEXTS), steps: steps(), confidence: 0.7 }),
    () => steps(),
    () => ({ phases: times(2 + dice.below(2), (at) => ({ phase: at, steps: steps() })) }),
    () => ({
      plan: {
        tasks: times(2, (at) => ({
          title: `task ${at}`,
          groups: times(2, () => ({ steps: steps() })),
        })),
        owner: "me",
      },
    }),
    () => ({ tool_calls: times(2 + dice.below(3), call) }),
    () => times(2 + dice.below(3), call),
    () => ({ root: node(3), kind: "tree" }),
    () => ({ rounds: times(2 + dice.below(2), () => times(1 + dice.below(3), call)) }),
    () => ({ stages: times(2 + dice.below(3), stage), version: 2 }),
  ])()
}

/** Tables, forms, teams by name, graphs with points, conversations, timetables. */
export const unseen = (dice: Dice): Value => {
  const many = <A>(make: (index: number) => A) => times(2 + dice.below(3), make)
  const field = (): Value => ({
    label: dice.one(TEXTS),
    options: many((at) => ({ value: at, text: dice.one(TEXTS) })),
    required: dice.below(2) === 0,
  })
  const message = (): Value => ({
    role: dice.one(["user", "assistant"]),
    content: many(() =>
      dice.below(2) === 0
        ? { type: "text", text: dice.one(TEXTS) }
        : { type: "tool_use", name: dice.one(WORDS), input: { query: some(dice, 1) } },
    ),
  })
  return dice.one<() => Value>([
    () => ({ columns: many(() => dice.one(WORDS)), rows: many(() => many(() => scalar(dice))) }),
    () => ({ form: { sections: many((at) => ({ title: `part ${at}`, fields: many(field) })) } }),
    () => ({
      teams: Object.fromEntries(
        ["north", "south"].map((name) => [
          name,
          {
            lead: dice.one(WORDS),
            members: many((at) => ({ nr: at, skills: many(() => dice.one(WORDS)) })),
          },
        ]),
      ),
    }),
    () => ({
      nodes: many((at) => ({ id: at, position: { x: dice.below(99), y: 1 }, data: some(dice, 1) })),
      edges: many(() => ({ from: 1, to: 2, points: many(() => [dice.below(9), dice.below(9)]) })),
    }),
    () => many(message),
    () => ({
      days: many((at) => ({
        day: at,
        slots: many(() => ({
          room: { name: dice.one(WORDS), seats: 8 },
          who: many(() => dice.one(WORDS)),
        })),
      })),
    }),
  ])()
}
