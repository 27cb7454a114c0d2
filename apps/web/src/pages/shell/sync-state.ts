import type { ProjectView } from '@beadloom/core/api/api.ts'
import { agoText } from '../../ui/time-text.ts'

export type SyncState = { glyph: string; text: string; tone: 'calm' | 'trouble' | 'failed'; about: string }

/** How a project stands with what lies outside, for the top bar: the worst thing first. */
export function syncState(view: ProjectView, now: number): SyncState {
  const { tracker, syncedAt, paused, warnings } = view
  const waiting = tracker?.waiting ?? 0
  if (isConfiguration(view.problem))
    return {
      glyph: '✕',
      text: 'configuration',
      tone: 'failed',
      about: `The configuration of the project is wrong, so nothing of it can start. Mend it where it stands. ${view.problem}`,
    }
  if (view.problem !== null) return { glyph: '✕', text: 'sync failed', tone: 'failed', about: view.problem }
  if (tracker !== null && tracker.problem !== '')
    return { glyph: '✕', text: `${waiting} not written`, tone: 'failed', about: tracker.problem }
  if (paused)
    return { glyph: '‖', text: 'paused', tone: 'trouble', about: 'The project is paused: nothing new starts.' }
  if (waiting > 0)
    return {
      glyph: '⇅',
      text: `writing ${waiting}`,
      tone: 'calm',
      about: `${waiting} changes are on their way to the tracker.`,
    }
  if (warnings.length > 0)
    return {
      glyph: '⚠',
      text: warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`,
      tone: 'trouble',
      about: warnings[0] ?? '',
    }
  if (syncedAt === null)
    return { glyph: '⟳', text: 'not synced', tone: 'calm', about: 'The project has not been read yet.' }
  return { glyph: '⟳', text: `synced ${agoText(now - syncedAt)}`, tone: 'calm', about: tracker?.text ?? '' }
}

/** What a project's own settings say wrong; everything else that keeps it from running is about reading it. */
export const isConfiguration = (problem: string | null): problem is string =>
  problem !== null && /^beadloom\.json\b/.test(problem)
