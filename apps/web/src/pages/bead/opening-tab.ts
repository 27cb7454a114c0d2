import type { Lane } from '@beadloom/core/board/board-card.ts'
import type { BeadTab } from './bead-search.ts'

/** A wide screen shows the info beside the tabs. */
const openingTabs: Record<Lane, BeadTab> = {
  queued: 'output',
  running: 'output',
  blocked: 'info',
  failed: 'output',
  timeout: 'output',
  open: 'info',
  completed: 'diff',
}

/** The tab that fits the state: changes, the agent's words, or why it waits. */
export function openingTab(lane: Lane | null, linked: boolean, wide: boolean, isAboutPlan: boolean): BeadTab {
  if (linked || lane === null) return 'output'
  if (isAboutPlan) return 'plan'
  const tab = openingTabs[lane]
  return wide && tab === 'info' ? 'output' : tab
}
