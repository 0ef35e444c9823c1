/** What the turns of one chat share. */
import type { SessionStore } from "@planloom/plugin/effect"
import type { Loaded, RunRecording } from "../run/recording.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import type { ChatInputs } from "./chatInputs.ts"
import type { NextCassette } from "./turnCassettes.ts"

export interface Conversation {
  readonly loaded: Loaded
  readonly given: ChatInputs
  readonly recording: RunRecording | undefined
  readonly sessions: SessionStore
  readonly channel: ChatChannel
  readonly cassette: NextCassette
  session: string
}

export const newSession = (): string => crypto.randomUUID().slice(0, 8)
