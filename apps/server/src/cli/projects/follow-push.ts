import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

export type FollowPush = {
  begin: () => Promise<PushView>
  look: () => Promise<PushView>
  /** Waits this long, in milliseconds. */
  sleep: (ms: number) => Promise<void>
  /** Shows the current step; null: it is over. */
  tell: (text: string | null) => void
}

const LOOK_MS = 400

/** Begins a push, and shows its progress until it is over. */
export async function followPush({ begin, look, sleep, tell }: FollowPush): Promise<PushView> {
  try {
    let view = await begin()
    while (view.state === 'running') {
      tell(oneLiner(view.text))
      await sleep(LOOK_MS)
      view = await look()
    }
    return view
  } finally {
    tell(null)
  }
}
