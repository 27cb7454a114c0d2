import type { BeadView, ExecutionView } from '@beadloom/core/api/api.ts'
import { Link } from '@tanstack/react-router'
import css from './next-actions-list.module.css'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { Chip } from '../../components/bead/chip.tsx'
import { closeBead } from '../../components/bead/close-bead.ts'
import type { Way } from '../../components/bead/next-actions.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { toast } from '../../ui/toast.tsx'

type Props = {
  ways: readonly Way[]
  bead: BeadView
  execution: ExecutionView | null
  refusal: string | null
  commands: BeadCommands
}

/** What a person can do now: the usual way with its sentence, the others beside it. */
export function WaysOnList({ ways, bead, execution, refusal, commands }: Props) {
  const cards = useBoard(bead.project).view?.beads
  if (ways.length === 0) return null
  const act = (way: Way) => {
    switch (way.way) {
      case 'close':
        return void closeBead(bead.project, bead.id)
      case 'follow-up': {
        const card = cards?.get(way.bead)
        return card ? commands.run(card, null) : toast(`${way.bead} has not come yet; try again in a moment`)
      }
      case 'note':
        return commands.runWithOptions(bead, execution)
      case 'again':
        return commands.run(bead, execution)
    }
  }
  return (
    <section className={css['ways']} aria-label="Ways on">
      <ol>
        {ways.map((way, index) => (
          <li key={way.way}>
            {way.way === 'follow-up' && way.live ? (
              <Link to="/p/$project/b/$bead" params={{ project: bead.project, bead: way.bead }}>
                {shown(way.bead)}
              </Link>
            ) : (
              <Button
                look={index === 0 ? 'primary' : 'plain'}
                blockedBy={way.way === 'close' || way.way === 'follow-up' ? null : refusal}
                busy={way.way === 'follow-up' && commands.busy(way.bead)}
                title={index === 0 ? undefined : way.says}
                onClick={() => act(way)}
              >
                {nameOf(way, bead.id)}
              </Button>
            )}
            <span className={css['says']}>
              {index === 0 && ways.length > 1 && (
                <>
                  <Chip tone="running">usual</Chip>{' '}
                </>
              )}
              {shown(way.says)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function nameOf(way: Way, bead: string): string {
  switch (way.way) {
    case 'close':
      return `Close ${bead}`
    case 'follow-up':
      return `Run ${way.bead}`
    case 'note':
      return 'Run with a note'
    case 'again':
      return 'Run again'
  }
}
