import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { EndBanner } from './end-banner.tsx'
import { FollowUpsPanel } from './follow-ups-panel.tsx'
import { NextActionsList } from './next-actions-list.tsx'
import css from '../bead-page.module.css'
import type { BeadCommands } from '../../../components/bead/bead-commands.tsx'
import type { NextAction } from '../../../components/bead/next-actions.ts'

type Props = {
  bead: BeadView
  lane: Lane
  execution: ExecutionView | null
  view: ProjectView | undefined
  commands: BeadCommands
  refusal: string | null
  followUps: readonly BoardCard[]
  /** Parts to show: its end, its follow-ups, actions. The rest is elsewhere on the page. */
  shows: { end: boolean; followUps: boolean; actions: boolean }
  actions: readonly NextAction[]
  /** Without the output of a failed check. */
  brief: boolean
  /** In the side column, instead of above the tabs. */
  beside: boolean
}

/** A bead's end, the beads filed because of it, and a person's options now. */
export function WhatNext(props: Props) {
  const { bead, lane, execution, view, commands, refusal, followUps, shows, actions, brief, beside } = props
  const [recommended] = actions
  const isListed = (one: NextAction): boolean =>
    shows.followUps && one.action === 'follow-up' && followUps.some(({ card }) => card.id === one.bead)
  return (
    <div className={beside ? css['beside'] : undefined}>
      {shows.end && <EndBanner bead={bead} lane={lane} execution={execution} brief={brief} />}
      {shows.followUps && (
        <FollowUpsPanel
          bead={bead}
          all={followUps}
          recommended={recommended?.action === 'follow-up' ? recommended : null}
          view={view}
          commands={commands}
        />
      )}
      {shows.actions && (
        <NextActionsList
          actions={actions.filter((one) => !isListed(one))}
          recommended={recommended}
          bead={bead}
          execution={execution}
          refusal={refusal}
          commands={commands}
        />
      )}
    </div>
  )
}
