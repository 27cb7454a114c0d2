import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { Link } from '@tanstack/react-router'
import { asksAPerson } from './end-banner.tsx'
import css from './follow-ups-panel.module.css'
import { AnswerBox } from '../../../components/bead/answer-box.tsx'
import { cancelRefusal, runRefusal } from '../../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../../components/bead/bead-commands.tsx'
import { Chip } from '../../../components/bead/chip.tsx'
import type { NextAction } from '../../../components/bead/next-actions.ts'
import { stateLine } from '../../../components/bead/state-line.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { isWork } from '@beadloom/core/board/follow-up-nest.ts'
import { Button } from '../../../ui/button.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

type Props = {
  bead: BeadView
  /** See `useFollowUps`. */
  all: readonly BoardCard[]
  /** The recommended action, if it is to run one of them. */
  recommended: Extract<NextAction, { action: 'follow-up' }> | null
  view: ProjectView | undefined
  commands: BeadCommands
}

/** Beads filed because this one ended as it did, with their states and buttons to run, stop and answer them. */
export function FollowUpsPanel({ bead, all, recommended, view, commands }: Props) {
  const now = useServerNow()
  const work = all.filter(({ card }) => isWork(card))
  const reminders = all.filter(({ card }) => card.reminderOf !== undefined)
  if (work.length + reminders.length === 0) return null
  return (
    <section className={css['panel']} aria-label="Follow-ups">
      {work.length > 0 && <h2>{counted(work.length, 'follow-up')}</h2>}
      <ul>
        {work.map((item) => (
          <Row
            key={item.card.id}
            item={item}
            now={now}
            view={view}
            commands={commands}
            says={recommended?.bead === item.card.id && !recommended.live ? recommended.says : null}
          />
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

type RowProps = Pick<Props, 'view' | 'commands'> & {
  item: BoardCard
  now: number
  /** The effect of running it, if that is recommended. */
  says: string | null
}

function Row({ item, now, view, commands, says }: RowProps) {
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
              look={says === null ? 'plain' : 'primary'}
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
      {says !== null && (
        <p className={css['says']}>
          <Chip tone="running">Recommended</Chip> {shown(says)}
        </p>
      )}
      {asks && execution && (
        <AnswerBox key={execution.id} project={card.project} bead={card.id} execution={execution.id} />
      )}
    </li>
  )
}
