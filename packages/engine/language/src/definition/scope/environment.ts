/** The names an expression can read at a place, with their types. */
import type { JsonSchema, Texts } from "@planloom/plugin/effect"
import { engineTexts } from "@planloom/plugin/texts"
import type { Environment, Field, FieldIssue, ObjectType, Type } from "@planloom/expression/check"
import { any, int, listOf, objectOf, string, typeOfSchema } from "@planloom/expression/check"
import type { Definition, DocumentPath, Flag, SessionDefinition } from "../Definition.ts"
import type { Resources } from "../Resources.ts"
import { ancestorsOf } from "./StageTree.ts"
import type { StageNode, StageTree } from "./StageTree.ts"
import { doubtText, visibleAt, whyHidden } from "./visible.ts"
import type { Doubt, Place } from "./visible.ts"
import { RerunOutput } from "./RerunOutput.ts"
import { unknownRoot } from "./unknownRoot.ts"

/** A definition with the types of its stages, from which the names at a place get theirs. */
export interface TypedDefinition {
  readonly definition: Definition
  readonly resources: Resources
  readonly tree: StageTree
  /** The type of a stage's whole output. */
  readonly outputType: (node: StageNode) => Type
  /** The type of `iter` inside a repeat. */
  readonly iterType: (node: StageNode) => ObjectType
  /** The type of one item of a `for_each`. */
  readonly itemType: (node: StageNode) => Type
}

export const environmentOf = (analysis: TypedDefinition, place: Place): Environment => {
  const roots: { [name: string]: Field } = {
    ...sameEverywhere(analysis),
    stages: sure(stagesType(analysis, place)),
    ...surroundings(analysis, place),
  }
  for (const name of ["secrets", "env", ...analysis.definition.secrets]) {
    if (!Object.hasOwn(roots, name))
      roots[name] = { type: any, optional: false, forbidden: secretIssue(name) }
  }
  return readingRoots(roots, analysis)
}

type Roots = { readonly [name: string]: Field }

const kept = new WeakMap<TypedDefinition, Roots>()

/** The names that have one type at each place, made once; `stages` has its place among them. */
const sameEverywhere = (analysis: TypedDefinition): Roots => {
  let roots = kept.get(analysis)
  if (roots === undefined) kept.set(analysis, (roots = rootsOf(analysis)))
  return roots
}

const rootsOf = (analysis: TypedDefinition): Roots => {
  const { definition } = analysis
  return {
    inputs: sure(objectOf(mapValues(definition.inputs, typeOfSchema))),
    stages: sure(any),
    run: sure(objectOf({ id: string })),
    ...(definition.user === undefined ? {} : { user: sure(typeOfSchema(definition.user)) }),
    ...(Object.keys(definition.flags).length === 0
      ? {}
      : { flags: sure(objectOf(mapValues(definition.flags, flagType))) }),
    ...(definition.session === undefined ? {} : { session: sure(sessionType(definition.session)) }),
    ...(definition.texts === undefined ? {} : { texts: sure(textsType(definition.texts)) }),
    ...sectionRoots(analysis, []),
  }
}

const readingRoots = (roots: Roots, analysis: TypedDefinition): Environment => ({
  roots,
  unknownRoot: (name, rest) => unknownRoot(name, rest, analysis, roots),
})

/** Of an expression that reads nothing of its place. */
export const onlyRoots = (
  roots: { readonly [name: string]: JsonSchema },
  analysis: TypedDefinition,
): Environment => withRoots(readingRoots({}, analysis), roots, analysis)

/** Adds names that one place has beyond those of its stage. */
export const withRoots = (
  { roots }: Environment,
  more: { readonly [name: string]: JsonSchema },
  analysis: TypedDefinition,
): Environment =>
  readingRoots({ ...roots, ...mapValues(more, (schema) => sure(typeOfSchema(schema))) }, analysis)

/** Another value of a flag has the type of its first one. */
const flagType = ({ enum: values, value }: Flag): Type =>
  typeOfSchema({
    type: typeof value as "boolean" | "number" | "string",
    ...(values === undefined ? {} : { enum: values }),
  })

const textsType = (texts: Texts): ObjectType =>
  objectOf(mapValues({ ...engineTexts, ...texts }, () => string))

/** Without a session the id is empty, there are no turns, and the state is what it starts as. */
const sessionType = ({ state }: SessionDefinition): ObjectType =>
  objectOf({
    id: string,
    summary: string,
    turns: listOf(objectOf({ user: string, assistant: string })),
    entities: listOf(objectOf({ type: string, id: string, name: string, turn: int })),
    state: objectOf(mapValues(state, ({ schema }) => typeOfSchema(schema))),
  })

const sure = (type: Type): Field => ({ type, optional: false })

const mapValues = <A, B>(
  object: { readonly [key: string]: A },
  turn: (value: A) => B,
): { readonly [key: string]: B } =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, turn(value)]))

const secretIssue = (name: string): FieldIssue => ({
  code: "PL6001",
  message:
    name === "secrets" || name === "env"
      ? `expressions cannot read ${name === "env" ? "the environment" : "secrets"}`
      : `expressions cannot read the secret ${name}`,
  help: "pass a secret in the config of the plugin that needs it, and anything else as an input",
})

/** What sections at a path let expressions read; those of the project and of the workflow stand at the top. */
const sectionRoots = (
  { resources }: TypedDefinition,
  path: DocumentPath,
): { readonly [name: string]: Field } => {
  const here = (resources.pluginSections ?? []).filter(
    (section) => section.path.join("/") === path.join("/"),
  )
  const roots: { [name: string]: Field } = {}
  for (const { key } of here) {
    // A key may stand in the workflow and in files that it uses.
    const same = here.filter((section) => section.key === key)
    if (same.some(({ isOpen }) => isOpen)) roots[key] = sure(any)
    else if (same.some(({ variables }) => variables !== undefined)) {
      const variables = Object.assign({}, ...same.map((section) => section.variables ?? {}))
      roots[key] = sure(objectOf(mapValues(variables, typeOfSchema)))
    }
  }
  return roots
}

/** The names that enclosing blocks add. */
const surroundings = (
  analysis: TypedDefinition,
  place: Place,
): { readonly [name: string]: Field } => {
  if (place.at === "end") return {}
  const { node } = place
  const roots: { [name: string]: Field } = { rerun: sure(rerunType(analysis, node)) }
  if (node.block.last || ancestorsOf(node).some((outer) => outer.block.last)) {
    roots["outcome"] = sure({ kind: "string", values: ["success", "failure", "cancelled"] })
    roots["error"] = {
      type: objectOf({ class: string, message: string }),
      optional: true,
      whenMissing: {
        code: "PL2006",
        message: "there is an error only when the run failed",
        help: 'guard it: outcome == "failure" ? error.message : …',
      },
    }
  }
  for (const outer of ancestorsOf(node).toReversed()) {
    Object.assign(roots, sectionRoots(analysis, outer.path))
    addOwn(roots, analysis, outer)
  }
  Object.assign(roots, sectionRoots(analysis, node.path))
  if (place.at === "iteration") addOwn(roots, analysis, node)
  return roots
}

/** The type of `rerun`. */
const rerunType = (analysis: TypedDefinition, node: StageNode): ObjectType => ({
  kind: "object",
  rest: undefined,
  fields: { count: sure(int), message: sure(string), output: new RerunOutput(analysis, node) },
})

/** The names that a stage adds inside itself. */
const addOwn = (
  roots: { [name: string]: Field },
  analysis: TypedDefinition,
  node: StageNode,
): void => {
  if (node.stage.repeat) {
    // Read anew each time: the type widens once `next` is known.
    roots["iter"] = {
      optional: false,
      get type() {
        return analysis.iterType(node)
      },
    }
  }
  if (node.stage.for_each) Object.assign(roots, itemRoots(analysis, node))
}

/** The names of one item of a `for_each`. */
const itemRoots = (
  analysis: TypedDefinition,
  node: StageNode,
): { readonly [name: string]: Field } => ({
  [node.stage.for_each!.as]: {
    optional: false,
    get type() {
      return analysis.itemType(node)
    },
  },
  index: sure(int),
})

/** Adds the item of the stage's own `for_each`, for what is read once per item. */
export const perItem = (
  environment: Environment,
  analysis: TypedDefinition,
  node: StageNode,
): Environment =>
  node.stage.for_each
    ? readingRoots({ ...environment.roots, ...itemRoots(analysis, node) }, analysis)
    : environment

/** Fields are made when they are read: most expressions read one stage of many. */
const stagesType = (analysis: TypedDefinition, place: Place): ObjectType => {
  const { all, byId } = analysis.tree
  return {
    kind: "object",
    fields: {},
    rest: undefined,
    noun: { word: "stage", code: "PL2002" },
    lazy: {
      field: (id) => {
        const node = byId.get(id)
        if (!node) return undefined
        const visible = visibleAt(place, node)
        return visible
          ? sure(stageView(analysis, node, visible.doubt))
          : { type: any, optional: false, forbidden: whyHidden(place, node) }
      },
      names: () => all.filter((node) => visibleAt(place, node)).map(({ stage }) => stage.id),
    },
  }
}

const stageView = (
  analysis: TypedDefinition,
  node: StageNode,
  doubt: Doubt | undefined,
): ObjectType => {
  const { id } = node.stage
  const output = (): Field => ({
    type: analysis.outputType(node),
    optional: doubt !== undefined,
    ...(doubt === undefined ? {} : { whenMissing: missingOutput(id, doubt) }),
  })
  const others: { readonly [name: string]: Field } = {
    outcome: sure({ kind: "string", values: ["success", "skipped", "failure"] }),
    error: {
      type: failureType,
      optional: true,
      whenMissing: {
        code: "PL2006",
        message: `"${id}" has an error only when it failed`,
        help: `guard it: has(stages.${id}.error) ? … : …`,
      },
    },
  }
  return {
    kind: "object",
    fields: {},
    rest: undefined,
    lazy: {
      field: (name) =>
        name === "output" ? output() : Object.hasOwn(others, name) ? others[name] : undefined,
      names: () => ["output", ...Object.keys(others)],
    },
  }
}

const failureType = objectOf({ class: string, message: string })

const missingOutput = (id: string, doubt: Doubt): FieldIssue => ({
  code: "PL2006",
  message: `"${id}" may have no output: ${doubtText(doubt)}`,
  help: `guard it: has(stages.${id}.output) ? … : …, or has(stages.${id}.output) in the if of this stage`,
})
