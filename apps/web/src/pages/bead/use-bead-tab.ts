import { laneOf } from '@beadloom/core/board/board-card.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { BeadTab } from './bead-search.ts'
import { openingTab } from './opening-tab.ts'
import type { LiveBead } from './use-bead.ts'

export type OpenTab = {
  tabs: readonly BeadTab[]
  tab: BeadTab
  /** An attempt by itself is shown instead of the list of attempts. */
  inTheatre: boolean
  open(tab: BeadTab): void
}

const route = getRouteApi('/p/$project/b/$bead')

/** The open tab: the one in the address, otherwise the one that fits the bead's state. */
export function useBeadTab(id: string, { bead, newest, plannings }: LiveBead, wide: boolean): OpenTab {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const lane = bead ? laneOf(bead, newest) : null
  const isPlanned = bead?.plan !== undefined || plannings.length > 0
  const tabs: BeadTab[] = [
    'output',
    ...(isPlanned ? (['plan'] as const) : []),
    'diff',
    'attempts',
    'review',
    ...(wide ? [] : (['info'] as const)),
  ]
  const isAboutPlan = bead?.reason?.code === 'plan_waits' || (lane === 'running' && newest?.progress !== undefined)
  // A reader of the output or the plan stays there, whatever happens to the bead.
  const [reading, setReading] = useState<{ bead: string; tab: BeadTab } | null>(null)
  const opening =
    reading?.bead === id && tabs.includes(reading.tab)
      ? reading.tab
      : openingTab(lane, search.session !== undefined, wide, isAboutPlan)
  if (lane !== null && (opening === 'output' || opening === 'plan') && reading?.bead !== id)
    setReading({ bead: id, tab: opening })
  const tab = search.tab && tabs.includes(search.tab) ? search.tab : opening
  return {
    tabs,
    tab,
    inTheatre: tab === 'attempts' && search.attempt !== undefined,
    open: (next) => void navigate({ search: (old) => ({ ...old, tab: next, attempt: undefined }), replace: true }),
  }
}
