import {
  CornerDownRight,
  FileDiff,
  FilePen,
  FlaskConical,
  GitBranch,
  KeyRound,
  Layers,
  Repeat,
  RotateCw,
  Scale,
  ShieldAlert,
  ShieldOff,
  ShieldQuestion,
  Shuffle,
  Undo2,
  Workflow,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionFlag } from '@beadloom/core/records/execution.ts'
import css from './board-card.module.css'
import type { ShownCard } from '../columns/held-columns.ts'
import { marks as stateMarks } from '../../../components/bead/states.ts'
import { lanes, type BoardCard } from '@beadloom/core/board/board-card.ts'
import { flagWords } from '../../../components/bead/end-words.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

const icons: Record<ExecutionFlag['kind'], LucideIcon> = {
  flaky: Shuffle,
  tampered: ShieldAlert,
  no_progress: Repeat,
  adopted: RotateCw,
  outdated: FilePen,
  unverified: ShieldOff,
  checks_made: FlaskConical,
  opinion: Scale,
  base_red: Layers,
  not_checked: ShieldQuestion,
  secrets: KeyRound,
  runs_elsewhere: Workflow,
  tests_changed: FileDiff,
}

type Mark = { icon: LucideIcon; word: string }

/** Flags, follow-ups, and the bead whose work it continues. A narrow card shows glyphs, with the words on hover. */
export function CardMarks({ item: { card, execution, followUps } }: { item: ShownCard }) {
  const marks: Mark[] = []
  for (const kind of new Set(execution?.flags.map((flag) => flag.kind)))
    marks.push({ icon: icons[kind], word: flagWords[kind].short })
  const word = followUps === undefined ? null : followUpsWord(followUps)
  if (word !== null) marks.push({ icon: CornerDownRight, word })
  if (card.refused !== undefined) marks.push({ icon: Undo2, word: refusedWord(card.refused) })
  // A reminder names the bead with the question on its line already.
  if (card.baseBranch !== undefined && !(card.reason?.code === 'needs_human' && card.reason.beads))
    marks.push({ icon: GitBranch, word: `continues ${card.baseBranch}` })
  if (marks.length === 0) return null
  return (
    <span className={css['marks']} title={shown(marks.map(({ word }) => word).join(' · '))}>
      {marks.map(({ icon: Icon, word }) => (
        <span key={word}>
          <Icon size={13} strokeWidth={1.75} aria-hidden />
          <span className={css['word']}>{shown(word)}</span>
        </span>
      ))}
    </span>
  )
}

/** "priority not written to the tracker: it was changed there". */
const refusedWord = (refused: NonNullable<BeadCard['refused']>): string =>
  refused.map(({ field, why }) => `${field} not written to the tracker: ${why}`).join(' · ')

/** "2 follow-ups: 1 running, 1 open". */
function followUpsWord(all: readonly BoardCard[]): string {
  const states = lanes.flatMap((lane) => {
    const count = all.filter((one) => one.lane === lane).length
    const { word } = stateMarks[lane]
    return count === 0 ? [] : all.length === 1 ? [word.toLowerCase()] : [`${count} ${word.toLowerCase()}`]
  })
  return `${counted(all.length, 'follow-up')}: ${states.join(', ')}`
}
