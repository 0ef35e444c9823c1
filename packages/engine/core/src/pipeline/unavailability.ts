/** Why a tool cannot be called now; undefined if it can. */
import type { Tool } from "@planloom/plugin/effect"

export const unavailability = ({ available }: Tool): string | undefined =>
  available === undefined || available === true ? undefined : available
