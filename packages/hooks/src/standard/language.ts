/** The hook `language`: the language of answers. */
import { textHook } from "./addText.ts"

const names = new Intl.DisplayNames(["en"], { type: "language" })

export const language = textHook<{ readonly language?: string; readonly otherwise?: string }>({
  id: "language",
  summary: "Sets the language of answers.",
  properties: {
    language: {
      type: ["string", "null"],
      description: "A BCP 47 tag, such as `es` or `${{ user.language }}`.",
    },
    otherwise: {
      type: "string",
      minLength: 1,
      description: "The tag if `language` is empty; without it, nothing is added then.",
    },
  },
  required: ["language"],
  stable: true,
  text: ({ with: { language: given, otherwise } }) => {
    const tag = given || otherwise
    // Throws a RangeError for what is no tag.
    return tag === undefined ? undefined : `Answer in ${names.of(tag)!} (${tag}).`
  },
})
