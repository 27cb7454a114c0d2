import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { ArrowUpDown, CirclePause, CircleX, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import { agoText } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

export type SyncState = { icon: LucideIcon; text: string; tone: 'calm' | 'trouble' | 'failed'; about: string }

/** The state of a project's repository and tracker for the top bar: the worst problem first. */
export function syncState(view: ProjectView, now: number): SyncState {
  const { tracker, syncedAt, paused, warnings } = view
  const waiting = tracker?.waiting ?? 0
  if (view.problemKind === 'configuration')
    return {
      icon: CircleX,
      text: 'configuration',
      tone: 'failed',
      about: `The project’s configuration has errors, so nothing can start. ${view.problem}`,
    }
  if (view.problem !== null) {
    const text = view.problemKind === 'repository' ? 'sync failed' : 'cannot run'
    return { icon: CircleX, text, tone: 'failed', about: view.problem }
  }
  if (tracker !== null && tracker.problem !== '')
    return { icon: CircleX, text: `${waiting} not saved`, tone: 'failed', about: tracker.problem }
  if (paused)
    return { icon: CirclePause, text: 'paused', tone: 'trouble', about: 'The project is paused: nothing new starts.' }
  if (waiting > 0)
    return {
      icon: ArrowUpDown,
      text: `Saving ${counted(waiting, 'change')}…`,
      tone: 'calm',
      about: `${counted(waiting, 'change')} not in the tracker yet.`,
    }
  if (warnings.length > 0)
    return {
      icon: TriangleAlert,
      text: counted(warnings.length, 'warning'),
      tone: 'trouble',
      about: warnings[0] ?? '',
    }
  if (syncedAt === null)
    return { icon: RefreshCw, text: 'not synced', tone: 'calm', about: 'The project has not been synced yet.' }
  return { icon: RefreshCw, text: `synced ${agoText(now - syncedAt)}`, tone: 'calm', about: tracker?.text ?? '' }
}
