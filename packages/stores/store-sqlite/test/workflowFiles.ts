/** Generated workflows as files: each is JSON, with the stages, names and expressions of its shape. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Blocks, Shape, Whole } from "./Shape.ts"

/** Gives a name for each number, another one for another number; `plain` says what is named. */
export type Namer = (number: number, plain: string) => string

export const plainNames: Namer = (_, plain) => plain

/** Each file by its name; `workflow.yaml` is the outermost. */
export const filesOf = (
  { graph, stages, tidy }: Whole,
  names: Namer,
): ReadonlyMap<string, JsonObject> => {
  const files = new Map<string, JsonObject>()
  new WorkflowFile(files, names).write("workflow.yaml", "any", stages, graph, tidy)
  return files
}

class WorkflowFile {
  private readonly files: Map<string, JsonObject>
  private readonly names: Namer
  /** Names of this file by what they name. */
  private readonly given = new Map<string, string>()

  constructor(files: Map<string, JsonObject>, names: Namer) {
    this.files = files
    this.names = names
  }

  write(
    file: string,
    name: string,
    stages: ReadonlyArray<Shape>,
    graph: boolean,
    tidy: boolean,
  ): void {
    this.files.set(file, {})
    this.files.set(file, {
      apiVersion: "planloom/v1",
      kind: "Workflow",
      name,
      policies: {
        retry: {
          again: { max_retries: 1, delay: "1ms", on: ["unavailable", "timeout", "assertion"] },
        },
      },
      stages: this.stagesOf(stages, graph, "s"),
      ...(tidy
        ? { finally: [{ id: this.name("tidy"), ...this.work(2, "${{ outcome }}", "tidied") }] }
        : {}),
      outputs: Object.fromEntries(
        stages.map((_, index) => [this.name(`o${index}`), this.outputOf(`s${index}`)]),
      ),
    })
  }

  private name(plain: string): string {
    const known = this.given.get(plain)
    if (known !== undefined) return known
    const made = this.names(this.given.size, plain)
    this.given.set(plain, made)
    return made
  }

  private outputOf(plain: string): string {
    const stage = `stages.${this.name(plain)}`
    return `\${{ has(${stage}.output) ? json(${stage}.output) : "none" }}`
  }

  private work(n: number | string, seen: string, plain: string): JsonObject {
    return { uses: "work", with: { n, seen, word: this.name(`${plain}_word`) } }
  }

  private calls(stages: ReadonlyArray<Shape>, times: number): JsonObject {
    const path = `inner${this.files.size}.yaml`
    const { files, names } = this
    new WorkflowFile(files, names).write(path, `inner${files.size}`, stages, false, false)
    return { uses: "calls", with: { path, times } }
  }

  /** Stages by shape. The value of a stage includes what it reads from its predecessor. */
  private stagesOf(
    shapes: ReadonlyArray<Shape>,
    graph: boolean,
    prefix: string,
  ): ReadonlyArray<JsonObject> {
    return shapes.map((given, index) => {
      const plain = `${prefix}${index}`
      const needed = shapes.flatMap((_, other) =>
        other < index && (given.needs & (1 << other)) !== 0 ? [`${prefix}${other}`] : [],
      )
      const before = graph ? needed.at(-1) : index > 0 ? `${prefix}${index - 1}` : undefined
      return {
        id: this.name(plain),
        ...(graph ? { needs: needed.map((one) => this.name(one)) } : {}),
        ...(given.retry ? { retry: "again" } : {}),
        ...(given.conditional && before !== undefined
          ? { if: `has(stages.${this.name(before)}.output)` }
          : {}),
        ...this.onError(given, plain),
        ...this.workOf(given, { index, needed, plain, prefix, before }, shapes, graph),
      }
    })
  }

  private onError({ instead, onError, type }: Shape, plain: string): JsonObject {
    if (onError === "continue") return { on_error: "continue" }
    if (onError === "fail" || type === "block" || type === "chooses") return {}
    return {
      on_error: "fallback",
      fallback:
        instead === undefined ? this.work(1, "", `${plain}_instead`) : this.calls(instead, 1),
    }
  }

  private workOf(
    given: Shape,
    place: Place,
    shapes: ReadonlyArray<Shape>,
    graph: boolean,
  ): JsonObject {
    const { before, plain } = place
    const seen = before === undefined ? "" : this.outputOf(before)
    switch (given.type) {
      case "work":
        return given.each !== undefined
          ? {
              ...this.work("${{ n }}", seen, plain),
              for_each: {
                in: `[${given.each.join(", ")}]`,
                as: "n",
                max_parallel: given.parallel,
              },
            }
          : {
              ...this.work(given.n, seen, plain),
              ...(given.back === undefined
                ? {}
                : this.rerun(given.back, given, place, shapes, graph)),
            }
      case "asks":
        return { uses: "asks", with: { n: given.n, word: this.name(`${plain}_word`) } }
      case "hangs":
        return { uses: "hangs", timeout: "100ms", with: {} }
      case "calls":
        return this.calls(given.stages, given.times)
      case "chooses": {
        const cases = given.stages.map((one, number): readonly [string, JsonObject] => {
          const stages = this.stagesOf([one], false, `${plain}_${number}_`)
          return [`${this.name(`${plain}_${number}`)}:${number}/`, { stages }]
        })
        const [name] = cases[given.chosen] ?? ["none"]
        return {
          uses: "switch",
          with: { on: `"${name}" + ""`, cases: Object.fromEntries(cases) },
        }
      }
      case "block":
        return {
          ...(given.late || given.keeps === "late" ? { timeout: "60ms" } : {}),
          ...(given.keeps !== undefined
            ? {
                repeat: {
                  max_iterations: 3,
                  on_exhausted: "continue",
                  on_round_error: "keep",
                  ...(given.keeps === "calls" ? { on_no_new_call: "end" } : {}),
                  until: "false",
                  carry: { sum: 0 },
                  next: { sum: "${{ iter.sum + 1 }}" },
                },
              }
            : given.times > 0
              ? {
                  repeat: {
                    max_iterations: given.times,
                    until: "iter.sum > 0",
                    carry: { sum: 0 },
                    next: { sum: "${{ iter.sum + 1 }}" },
                  },
                }
              : {}),
          stages: this.kept(given, plain),
        }
    }
  }

  /** The stages of a block; those of a loop that keeps its last whole round differ from round to round. */
  private kept({ graph, keeps, stages }: Blocks, plain: string): ReadonlyArray<JsonObject> {
    const inner = this.stagesOf(stages, graph, `${plain}_`)
    const id = this.name(`${plain}_kept`)
    const needs = graph ? { needs: inner.map((one) => one["id"] ?? "") } : {}
    if (keeps === "calls") return inner.map((one) => ({ ...one, if: "iter.sum != 1" }))
    if (keeps === undefined) return inner
    return [
      ...inner,
      keeps === "fails"
        ? { id, ...needs, ...this.work("${{ iter.sum == 1 ? 6 : 0 }}", "", id) }
        : { id, ...needs, if: "iter.sum == 1", uses: "hangs", with: {} },
    ]
  }

  /** Sends the stage back once to one before it that can run again, or to itself. */
  private rerun(
    back: number,
    given: Shape,
    { index, needed, prefix }: Place,
    shapes: ReadonlyArray<Shape>,
    graph: boolean,
  ): JsonObject {
    const target = index - back
    const of = shapes[target]
    const plain = `${prefix}${target}`
    const goes =
      of?.type === "work" &&
      of.each === undefined &&
      of.onError === "fail" &&
      !of.conditional &&
      given.onError === "fail" &&
      (target === index || !graph || needed.includes(plain))
    if (!goes) return {}
    const stage = this.name(plain)
    const that = `stages.${stage}.output.round > 0`
    return { assert: [{ that, on_fail: { rerun: stage, max_reruns: 1 } }] }
  }
}

/** Where a stage is among those of its block. */
interface Place {
  readonly index: number
  readonly plain: string
  readonly prefix: string
  readonly needed: ReadonlyArray<string>
  /** The stage that it reads. */
  readonly before: string | undefined
}
