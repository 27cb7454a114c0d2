import { COPIED, COPYING } from '@beadloom/core/supervisor/session-control.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { systemClock } from '../../process/clock.ts'
import { say, STOPPED } from '../stay-alive.ts'

/** Before a server asks why nobody answers. */
const SLOW_MS = 10_000

/** Ends this process and its container if the copy fails or has to stop: twenty more tries would not help. */
export async function untilCopied(copying: Promise<void> | null): Promise<void> {
  if (copying === null) return
  const stop = () => process.exit(STOPPED) // the next start copies anew
  process.once('SIGPWR', stop)
  const over = new AbortController()
  const slow = systemClock.sleep(SLOW_MS, over.signal).then(() => {
    if (over.signal.aborted) return false
    say(COPYING)
    return true
  })
  try {
    await copying
  } catch (error) {
    say(`The workspace could not be copied into this container: ${messageOf(error)}`)
    stop()
  }
  over.abort()
  if (await slow) say(COPIED)
  process.off('SIGPWR', stop)
}
