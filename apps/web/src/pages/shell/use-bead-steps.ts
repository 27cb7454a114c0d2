import { useNavigate } from '@tanstack/react-router'
import { lastList, stepIn } from '../../components/bead/board-memory.ts'
import { useFeed } from '../../feed/feed-context.tsx'
import { lanes } from '@beadloom/core/board/board-card.ts'
import { nestFollowUps } from '@beadloom/core/board/follow-up-nest.ts'
import { boardLanes } from '../../feed/lanes.ts'
import type { KeyBinding } from '../../ui/keys/keys.ts'
import { focusPage } from '../../ui/focus-page.ts'
import { toast } from '../../ui/toast.tsx'

/** The keys for the next and the previous bead without going back to the board; none while no bead is open. */
export function useBeadSteps(project: string | null, bead: string | null): KeyBinding[] {
  const navigate = useNavigate()
  const feed = useFeed()
  if (project === null || bead === null) return []
  const step = (by: 1 | -1) => {
    const next = stepIn(lastList(project) ?? boardOrder(), bead, by)
    if (next === null) toast(by === 1 ? 'This is the last bead in the list' : 'This is the first bead in the list')
    else {
      focusPage()
      void navigate({ to: '/p/$project/b/$bead', params: { project, bead: next } })
    }
  }
  /** Without a list (the page was opened by a link): the board's own order. */
  const boardOrder = (): string[] => {
    const { topics } = feed.store.getState()
    const view = topics[`board:${project}`]?.view
    if (!view) return []
    const all = nestFollowUps(boardLanes(view, topics['home']?.view?.status?.queue ?? []))
    return lanes.flatMap((lane) => all[lane].map(({ card }) => card.id))
  }
  return [
    { keys: ['] ]'], does: 'Next bead in the list', run: () => step(1) },
    { keys: ['[ ['], does: 'Previous bead in the list', run: () => step(-1) },
  ]
}
