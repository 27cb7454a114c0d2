import { exitOf, type SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { Exit } from '../../ports/sandbox.ts'

/**
 * The end of a session whose container has ended, too. If it ended by itself before that, only its supervisor knows
 * how; otherwise the engine knows what ended both, and whether somebody else asked for it.
 */
export function exitWith(container: Exit, end: SessionEnd | null): Exit {
  if (end?.how === 'exited' || end?.how === 'not-started') return exitOf(end)
  if (end?.how === 'stopped' && !container.outside && !container.lost) return exitOf(end)
  const { startedAt } = end ?? container
  return { ...container, startedAt: startedAt || container.startedAt }
}
