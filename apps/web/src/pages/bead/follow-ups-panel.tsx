import type { BeadView, ExecutionView, ProjectView } from '@beadloom/core/api/api.ts'
import { isInside } from '@beadloom/core/bead/inside.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { asksAPerson } from './end-banner.tsx'
import css from './follow-ups-panel.module.css'
import { AnswerBox } from '../../components/bead/answer-box.tsx'
import { cancelRefusal, runRefusal } from '../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { useKnownExecutions } from '../../components/bead/known-executions.ts'
import { stateLine } from '../../components/bead/state-line.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks } from '../../components/bead/states.ts'
import { laneOf, lanes, type BoardCard } from '@beadloom/core/board/board-card.ts'
import { useBoard, useServerNow } from '../../feed/feed-context.tsx'
import { isWork } from '@beadloom/core/board/follow-up-nest.ts'
import { Button } from '../../ui/button.tsx'
import { countOf } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'

type Props = {
  bead: BeadView
  view: ProjectView | undefined
  commands: BeadCommands
}

/** What was filed because of how this bead ended, with its state, and run, stopped and answered from here. */
export function FollowUpsPanel({ bead, view, commands }: Props) {
  const known = useKnownExecutions(bead.project)
  const now = useServerNow()
  const board = useBoard(bead.project).view
  const all = useMemo(() => followUpsOf(bead, board, known), [bead, board, known])
  const work = all.filter(({ card }) => isWork(card))
  const reminders = all.filter(({ card }) => card.reminderOf !== undefined)
  if (work.length + reminders.length === 0) return null
  return (
    <section className={css['panel']} aria-label="Follow-ups">
      {work.length > 0 && <h2>{countOf(work.length, 'follow-up')}</h2>}
      <ul>
        {work.map((item) => (
          <Row key={item.card.id} item={item} now={now} view={view} commands={commands} />
        ))}
      </ul>
      {reminders.map(({ card }) => (
        <p key={card.id} className={css['reminder']}>
          Reminder:{' '}
          <Link to="/p/$project/b/$bead" params={{ project: bead.project, bead: card.id }}>
            {shown(card.id)}
          </Link>
          . It closes by itself when this bead starts.
        </p>
      ))}
    </section>
  )
}

function Row({ item, now, view, commands }: Pick<Props, 'view' | 'commands'> & { item: BoardCard; now: number }) {
  const { card, execution, lane } = item
  const { text, figures } = stateLine(item, now)
  const live = lane === 'running' || lane === 'queued'
  const asks = asksAPerson(lane, execution)
  return (
    <li>
      <div className={css['row']}>
        <StateMark mark={marks[lane]} live={lane === 'running'} />
        <Link to="/p/$project/b/$bead" params={{ project: card.project, bead: card.id }} className={css['title']}>
          <span className={css['id']}>{shown(card.id)}</span> {shown(card.title)}
        </Link>
        <span className={asks ? `${css['line']} ${css['whole']}` : css['line']}>
          {shown(text)} <span className="live-number">{figures}</span>
        </span>
        {live ? (
          <Button
            needs="runner"
            aria-label={`Cancel ${card.id}`}
            blockedBy={cancelRefusal(execution)}
            onClick={() => commands.cancel(card, execution)}
          >
            Cancel
          </Button>
        ) : (
          lane !== 'completed' &&
          !asks && (
            <Button
              needs="runner"
              aria-label={`Run ${card.id}`}
              blockedBy={runRefusal(card, execution, view)}
              busy={commands.busy(card.id)}
              onClick={() => commands.run(card, execution)}
            >
              Run
            </Button>
          )
        )}
      </div>
      {asks && execution && <AnswerBox project={card.project} bead={card.id} execution={execution.id} />}
    </li>
  )
}

type Executions = ReadonlyMap<string, ExecutionView>
type Board = { beads: ReadonlyMap<string, BoardCard['card']>; executions: Executions }

/** In the order of the board's columns, the oldest first. */
function followUpsOf(bead: BeadView, board: Board | null, known: Executions): BoardCard[] {
  if (board === null) return []
  const items: BoardCard[] = []
  for (const card of board.beads.values()) {
    if (card.followUpOf !== bead.id || card.hidden || !isInside(card, bead)) continue
    const id = card.execution
    const execution = id === null ? null : (board.executions.get(id) ?? known.get(id) ?? null)
    items.push({ card, execution, lane: laneOf(card, execution), position: null })
  }
  return items.toSorted((a, b) => lanes.indexOf(a.lane) - lanes.indexOf(b.lane) || a.card.createdAt - b.card.createdAt)
}
