/** Adds a text to a prompt: to one of its sections, or as a section of its own. */
import {
  hook,
  type AnyHook,
  type CallContext,
  type JsonObject,
  type JsonSchema,
  type Section,
  type SectionEdit,
} from "@planloom/plugin/effect"

interface Place {
  readonly section?: string
}

export interface TextHook<With> {
  readonly id: string
  readonly summary: string
  /** Options besides `section`. */
  readonly properties: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly priority?: number
  /** Whether the text is the same in every call with the same options, so that a provider may cache it. */
  readonly stable: boolean
  /** Undefined adds nothing. */
  readonly text: (context: CallContext<With>) => string | undefined
}

const sectionOption: JsonSchema = {
  type: "string",
  minLength: 1,
  description:
    "The section that gets the text at its end; without it, the text is a section of its own.",
}

/** A hook that adds a text where its `section` says. */
export const textHook = <With>({
  id,
  priority,
  properties,
  required = [],
  stable,
  summary,
  text,
}: TextHook<With>): AnyHook =>
  hook<"post_assembly", With & Place>({
    id,
    summary,
    point: "post_assembly",
    kind: "transform",
    ...(priority === undefined ? {} : { priority }),
    input: {
      type: "object",
      properties: { ...properties, section: sectionOption },
      required,
      additionalProperties: false,
    },
    edits: appendsTo,
    run: ({ sections }, context) => {
      const added = context.with.section === undefined ? text(context) : undefined
      return added === undefined
        ? undefined
        : { sections: withSection(sections, { id, text: added, stable }) }
    },
    also: {
      section_build: (section, context) => {
        const added = context.with.section === section.id ? text(context) : undefined
        return added === undefined ? undefined : { text: appended(section.text, added) }
      },
    },
  })

/** The section of the option `section`. */
const appendsTo = ({ section }: JsonObject): ReadonlyArray<SectionEdit> =>
  typeof section === "string" ? [{ section, does: "append", at: ["section"] }] : []

export const appended = (text: string, added: string): string =>
  text === "" ? added : `${text}\n\n${added}`

/** A stable section stands before those that change, so that the prefix which a provider caches stays long. */
export const withSection = (
  sections: ReadonlyArray<Section>,
  { id, stable, text }: Pick<Section, "id" | "stable" | "text">,
): ReadonlyArray<Section> => {
  const section: Section = { id, text, stable, source: `hook:${id}`, tokens: 0 }
  const changing = sections.findIndex((one) => !one.stable)
  const index = stable && changing >= 0 ? changing : sections.length
  return sections.toSpliced(index, 0, section)
}
