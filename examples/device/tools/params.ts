/** Arguments of the device's own that several tools take. A `role` says what of the user's words fills them. */

export const state = {
  type: "string",
  enum: ["on", "off", "flip"],
  role: "switch",
  description: "flip turns on what is off, and the other way round",
} as const
