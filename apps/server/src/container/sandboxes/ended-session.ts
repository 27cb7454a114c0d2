import { exitOf, type SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { Exit } from '../../ports/sandbox.ts'

/**
 * How a session ended whose container has ended too. What ended by itself before that is told by its supervisor alone;
 * otherwise the engine knows what ended both, and whether somebody else has asked for it.
 */
export function exitWith(container: Exit, end: SessionEnd | null): Exit {
  if (end?.how === 'exited' || end?.how === 'not-started') return exitOf(end)
  if (end?.how === 'stopped' && !container.outside && !container.lost) return exitOf(end)
  const { startedAt } = end ?? container
  return { ...container, startedAt: startedAt || container.startedAt }
}
