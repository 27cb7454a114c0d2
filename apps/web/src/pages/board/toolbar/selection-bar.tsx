import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { CircleCheck, CircleStop, Copy, Flag, Play, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import css from './selection-bar.module.css'
import { closeRefusal, useBulk, type Bulk, type BulkOutcome } from './use-bulk.ts'
import { MoveDialog, movesByKey } from '../moves/move-keys.ts'
import type { BoardMoves } from '../moves/use-moves.ts'
import { cancelRefusal, runRefusal } from '../../../components/bead/bead-actions.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { actingOf, type BoardCard } from '@beadloom/core/board/board-card.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useKeys, type KeyBinding } from '../../../ui/keys/keys.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText } from '../../../ui/text/time-text.ts'

type Props = {
  project: string
  view: ProjectView | undefined
  /** The visible selected beads. */
  cards: readonly BoardCard[]
  moves: BoardMoves
  onClear: () => void
}

/** Actions for all selected beads at once, and the result for each. */
export function SelectionBar({ project, view, cards, moves, onClear }: Props) {
  const bulk = useBulk(project, view, cards)
  const { busy, result, run, cancel, copy } = bulk
  const [asking, setAsking] = useState(false)
  const [moving, setMoving] = useState(false)
  const running = cards
    .filter((item) => item.lane === 'running' && cancelRefusal(actingOf(item).execution) === null)
    .map(actingOf)
  const stop = () => (running.length > 0 ? setAsking(true) : void cancel())
  // With a filter by state, beads leave the view once they run; the result still shows.
  const isShown = cards.length > 0 || busy || result !== null
  const keys: KeyBinding[] = [
    { keys: ['r'], does: 'Run the selected beads', run: () => void run() },
    { keys: ['c'], does: 'Cancel the selected beads', run: stop },
    { keys: ['y i'], does: 'Copy the ids of the selected beads', run: copy },
    ...movesByKey((move) => moves.move(move, cards), 'the selected beads'),
    { keys: ['m'], does: 'Choose where to move the selected beads', run: () => setMoving(true) },
    { keys: ['Escape'], does: 'Clear the selection', run: onClear },
  ]
  useKeys('Selection', cards.length > 0 ? keys : isShown ? keys.slice(-1) : [])

  if (!isShown) return null
  return (
    <section className={css['bar']} aria-label="Selected beads">
      <Buttons {...{ cards, view, bulk, stop, onClear }} onMove={() => setMoving(true)} />
      {result && <Outcome result={result} />}
      {moving && (
        <Suspense fallback={null}>
          <MoveDialog
            items={cards}
            view={view}
            onMove={(move) => moves.move(move, cards)}
            onClose={() => setMoving(false)}
          />
        </Suspense>
      )}
      {asking && (
        <CancelAll
          cards={running}
          onClose={() => setAsking(false)}
          onCancel={() => {
            setAsking(false)
            void cancel()
          }}
        />
      )}
    </section>
  )
}

type ButtonsProps = Pick<Props, 'cards' | 'view' | 'onClear'> & { bulk: Bulk; stop: () => void; onMove: () => void }

function Buttons({ cards, view, bulk: { doing, run, close, copy }, stop, onMove, onClear }: ButtonsProps) {
  return (
    <div className={css['row']}>
      <span className={css['count']} role="status">
        {countText(cards.length)} selected
      </span>
      <Button
        icon={<Play size={15} strokeWidth={1.5} aria-hidden />}
        busy={doing === 'run'}
        blockedBy={noneOf(cards, ({ card, execution }) => runRefusal(card, execution, view))}
        onClick={() => void run()}
      >
        Run
      </Button>
      <Button
        icon={<CircleStop size={16} strokeWidth={1.5} aria-hidden />}
        busy={doing === 'cancel'}
        blockedBy={noneOf(cards, (item) => cancelRefusal(actingOf(item).execution))}
        onClick={stop}
      >
        Cancel
      </Button>
      <Button
        icon={<CircleCheck size={16} strokeWidth={1.5} aria-hidden />}
        busy={doing === 'close'}
        blockedBy={noneOf(cards, closeRefusal)}
        onClick={() => void close()}
      >
        Close
      </Button>
      <Button
        icon={<Flag size={15} strokeWidth={1.5} aria-hidden />}
        blockedBy={cards.length === 0 ? 'nothing is selected' : null}
        onClick={onMove}
      >
        Move
      </Button>
      <Button icon={<Copy size={15} strokeWidth={1.5} aria-hidden />} onClick={copy}>
        Copy IDs
      </Button>
      <IconButton label="Clear the selection" keys="Esc" onClick={onClear}>
        <X size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </div>
  )
}

const Outcome = ({ result }: { result: BulkOutcome }) => (
  <div className={css['result']} role="status">
    <p>{result.text}</p>
    {result.refused.length > 0 && (
      <ul>
        {result.refused.map(({ bead, why }) => (
          <li key={bead}>
            <code>{shown(bead)}</code> {shown(why)}
          </li>
        ))}
      </ul>
    )}
  </div>
)

/** The reason why it is impossible for all cards (the first one's); null if at least one allows it. */
function noneOf(cards: readonly BoardCard[], refusal: (card: BoardCard) => string | null): string | null {
  return cards.some((card) => refusal(card) === null) ? null : (cards.map(refusal)[0] ?? 'nothing is selected')
}

/** Stopping costs something: the dialog names it. */
function CancelAll(props: { cards: readonly BoardCard[]; onClose: () => void; onCancel: () => void }) {
  const { cards, onClose, onCancel } = props
  const now = useServerNow()
  return (
    <Dialog
      title={`Stop ${cards.length === 1 ? 'a running bead' : `${cards.length} running beads`}?`}
      onClose={onClose}
    >
      <ul className={css['losses']}>
        {cards.map(({ card, execution }) => {
          const tokens = execution ? execution.tokens.input + execution.tokens.output : 0
          return (
            <li key={card.id}>
              <code>{shown(card.id)}</code> {shown(card.title)}: {spanText(now - (execution?.startedAt ?? now))}
              {tokens > 0 && ` and ${countText(tokens)} tokens`}
            </li>
          )
        })}
      </ul>
      <p>
        Each bead returns to its previous state. Beadloom saves what its agent left on a branch, but does not verify it.
      </p>
      <DialogActions>
        <Button data-first onClick={onClose}>
          Keep running
        </Button>
        <Button look="danger" onClick={onCancel}>
          Stop {cards.length === 1 ? 'it' : `all ${cards.length}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
