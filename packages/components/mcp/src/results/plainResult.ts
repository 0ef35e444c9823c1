/** The result of a tool that declares no schema for it. */

export const attachmentSchema = {
  type: "object",
  description: "A part of the result that is not its text.",
  properties: {
    type: { enum: ["image", "audio", "resource", "link", "text", "unusable"] },
    mime: { type: "string" },
    file: { type: "string", description: "Absolute path of the file in the folder of the run." },
    bytes: { type: "integer" },
    uri: { type: "string" },
    name: { type: "string" },
    text: { type: "string" },
    problem: { type: "string", description: "Why the part cannot be used." },
  },
  required: ["type"],
  additionalProperties: false,
} as const

export const plainResult = {
  type: "object",
  properties: {
    text: { type: "string", description: "All texts of the result." },
    attachments: { type: "array", items: attachmentSchema },
    structured: { description: "What the tool gives as data." },
  },
  required: ["text", "attachments"],
  additionalProperties: false,
} as const
