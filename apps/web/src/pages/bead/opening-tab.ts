import type { Lane } from '@beadloom/core/board/board-card.ts'
import type { BeadTab } from './bead-search.ts'

/** On a wide screen the info is beside the tabs. */
const openingTabs: Record<Lane, BeadTab> = {
  queued: 'output',
  running: 'output',
  blocked: 'info',
  failed: 'output',
  timeout: 'output',
  open: 'info',
  completed: 'diff',
}

/** The tab that answers the state: what changed, what the agent says, or why it waits. */
export function openingTab(lane: Lane | null, linked: boolean, wide: boolean, isAboutPlan: boolean): BeadTab {
  if (linked || lane === null) return 'output'
  if (isAboutPlan) return 'plan'
  const tab = openingTabs[lane]
  return wide && tab === 'info' ? 'output' : tab
}
