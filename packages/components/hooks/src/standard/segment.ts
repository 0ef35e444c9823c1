/** The hook `segment`: another prompt and other tools for a group of users; `when` says for whom. */
import { hook } from "@planloom/plugin/effect"
import { appended, withSection } from "./addText.ts"

interface Options {
  readonly append?: { readonly section?: string; readonly text: string }
  readonly replace?: { readonly [section: string]: string }
  readonly without_tools?: ReadonlyArray<string>
}

export const segment = hook<"post_assembly", Options>({
  id: "segment",
  summary: "Changes sections and tools for a group of users.",
  point: "post_assembly",
  kind: "transform",
  input: {
    type: "object",
    properties: {
      append: {
        type: "object",
        description: "A text to add.",
        properties: {
          text: { type: "string", minLength: 1, description: "The text." },
          section: {
            type: "string",
            minLength: 1,
            description:
              "The section that gets it at its end; without it, it is a section of its own.",
          },
        },
        required: ["text"],
        additionalProperties: false,
      },
      replace: {
        type: "object",
        description: "Texts in place of those of sections.",
        additionalProperties: { type: "string" },
      },
      without_tools: {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Tools that the model is not offered.",
      },
    },
    additionalProperties: false,
  },
  edits: (options) => {
    const { append, replace = {} } = options as Options
    return [
      ...Object.keys(replace).map((section) => ({
        section,
        does: "replace" as const,
        at: ["replace", section],
      })),
      ...(append?.section === undefined
        ? []
        : [{ section: append.section, does: "append" as const, at: ["append", "section"] }]),
    ]
  },
  run: ({ sections }, { with: { append } }) =>
    append === undefined || append.section !== undefined
      ? undefined
      : { sections: withSection(sections, { id: "segment", text: append.text, stable: true }) },
  also: {
    section_build: ({ id, text }, { with: { append, replace = {} } }) => {
      const own = Object.hasOwn(replace, id) ? replace[id]! : text
      const made = append?.section === id ? appended(own, append.text) : own
      return made === text ? undefined : { text: made }
    },
    tools_build: ({ offers }, { with: { without_tools: without = [] } }) =>
      without.length === 0
        ? undefined
        : { offers: offers.filter(({ tool }) => !without.includes(tool)) },
  },
})
