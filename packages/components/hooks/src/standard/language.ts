/** The hook `language`: the language of answers. */
import { textHook } from "./addText.ts"

/** Made with the first tag: loading the names of languages takes 5 ms. */
let names: Intl.DisplayNames | undefined

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
    if (tag === undefined) return undefined
    names ??= new Intl.DisplayNames(["en"], { type: "language" })
    return `Answer in ${names.of(tag)!} (${tag}).`
  },
})
