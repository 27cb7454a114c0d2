import type { ProjectView } from '@beadloom/core/api/api.ts'
import { agoText } from '../../ui/time-text.ts'
import { countOf } from '../../ui/count-text.ts'

export type SyncState = { glyph: string; text: string; tone: 'calm' | 'trouble' | 'failed'; about: string }

/** The state of a project's repository and tracker, for the top bar: the worst thing first. */
export function syncState(view: ProjectView, now: number): SyncState {
  const { tracker, syncedAt, paused, warnings } = view
  const waiting = tracker?.waiting ?? 0
  if (view.problemKind === 'configuration')
    return {
      glyph: '✕',
      text: 'configuration',
      tone: 'failed',
      about: `The project’s configuration has errors, so nothing can start. ${view.problem}`,
    }
  if (view.problem !== null) {
    const text = view.problemKind === 'repository' ? 'sync failed' : 'cannot run'
    return { glyph: '✕', text, tone: 'failed', about: view.problem }
  }
  if (tracker !== null && tracker.problem !== '')
    return { glyph: '✕', text: `${waiting} not saved`, tone: 'failed', about: tracker.problem }
  if (paused)
    return { glyph: '‖', text: 'paused', tone: 'trouble', about: 'The project is paused: nothing new starts.' }
  if (waiting > 0)
    return {
      glyph: '⇅',
      text: `Saving ${countOf(waiting, 'change')}…`,
      tone: 'calm',
      about: `${countOf(waiting, 'change')} not in the tracker yet.`,
    }
  if (warnings.length > 0)
    return {
      glyph: '⚠',
      text: countOf(warnings.length, 'warning'),
      tone: 'trouble',
      about: warnings[0] ?? '',
    }
  if (syncedAt === null)
    return { glyph: '⟳', text: 'not synced', tone: 'calm', about: 'The project has not been synced yet.' }
  return { glyph: '⟳', text: `synced ${agoText(now - syncedAt)}`, tone: 'calm', about: tracker?.text ?? '' }
}
