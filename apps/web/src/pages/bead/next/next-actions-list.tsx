import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { Link } from '@tanstack/react-router'
import css from './next-actions-list.module.css'
import type { BeadCommands } from '../../../components/bead/bead-commands.tsx'
import { Chip } from '../../../components/bead/chip.tsx'
import { closeBead } from '../../../components/bead/close-bead.ts'
import type { NextAction } from '../../../components/bead/next-actions.ts'
import { useBoard } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast } from '../../../ui/toast.tsx'

type Props = {
  actions: readonly NextAction[]
  /** May be shown elsewhere, and be missing from `actions`. */
  recommended: NextAction | undefined
  bead: BeadView
  execution: ExecutionView | null
  refusal: string | null
  commands: BeadCommands
}

/** A person's options now: the recommended action with its sentence, the others beside it. */
export function NextActionsList({ actions, recommended, bead, execution, refusal, commands }: Props) {
  const cards = useBoard(bead.project).view?.beads
  if (actions.length === 0) return null
  const act = (one: NextAction) => {
    switch (one.action) {
      case 'close':
        return void closeBead(bead.project, bead.id, bead.status)
      case 'follow-up': {
        const card = cards?.get(one.bead)
        return card ? commands.run(card, null) : toast(`${one.bead} is not on the board yet; try again in a moment`)
      }
      case 'note':
        return commands.runWithOptions(bead, execution)
      case 'again':
        return commands.run(bead, execution)
    }
  }
  return (
    <section className={css['actions']} aria-label="Suggested actions">
      <ol>
        {actions.map((one) => (
          <li key={one.action} className={one === recommended ? css['recommended'] : undefined}>
            {one.action === 'follow-up' && one.live ? (
              <Link to="/p/$project/b/$bead" params={{ project: bead.project, bead: one.bead }}>
                {shown(one.bead)}
              </Link>
            ) : (
              <Button
                needs="runner"
                look={one === recommended ? 'primary' : 'plain'}
                blockedBy={one.action === 'close' || one.action === 'follow-up' ? null : refusal}
                busy={one.action === 'follow-up' && commands.busy(one.bead)}
                title={one === recommended ? undefined : one.says}
                onClick={() => act(one)}
              >
                {nameOf(one, bead.id)}
              </Button>
            )}
            <span className={css['says']}>
              {one === recommended && actions.length > 1 && (
                <>
                  <Chip tone="running">Recommended</Chip>{' '}
                </>
              )}
              {shown(one.says)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function nameOf(one: NextAction, bead: string): string {
  switch (one.action) {
    case 'close':
      return `Close ${bead}`
    case 'follow-up':
      return `Run ${one.bead}`
    case 'note':
      return 'Run with a note'
    case 'again':
      return 'Run again'
  }
}
