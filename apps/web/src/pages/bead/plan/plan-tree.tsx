import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { typesOf } from '@beadloom/core/plan/plan-tree.ts'
import { Check, ChevronDown, ChevronRight, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { proofOf, roleWords, statusMarks, stepMark } from './plan-marks.ts'
import { costOfPhase, costOfSubtask, type Cost } from './plan-phases.ts'
import { isOpenByItself, planRows, rowStep, type PlanRow } from './plan-rows.ts'
import css from './plan-tree.module.css'
import { subtasksText } from '@beadloom/core/views/progress-text.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import tones from '../../../components/bead/tones.module.css'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { counted, shortCount } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { elapsedText } from '../../../ui/text/time-text.ts'

type Props = {
  plan: PlanView
  phases: PhaseView[]
  execution: ExecutionView | null
  /** The key of a row; null: nothing runs, and nobody has selected one. */
  chosen: string | null
  onChoose: (key: string) => void
}

/** Phases with their subtasks and later steps. One Tab stop; arrows move within. */
export function PlanTree({ plan, phases, execution, chosen, onChoose }: Props) {
  /** Phases that a person has opened or folded, by number. */
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(() => new Map())
  const [walked, setWalked] = useState<string | null>(null)
  const tree = useRef<HTMLDivElement>(null)
  const id = useId()
  const rows = planRows(phases, execution, (phase) => folds.get(phase.number) ?? isOpenByItself(phase, phases))
  const here = rows.findIndex(({ key }) => key === chosen)
  const at = walked === null ? -1 : rows.findIndex(({ key }) => key === walked)
  const active = Math.max(0, at === -1 ? here : at)

  useEffect(() => {
    // Scrolls to the running row, but only while the focus is in the tree: a reader's page must not move.
    if (tree.current?.contains(document.activeElement) === true)
      tree.current.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const toggle = ({ number }: PhaseView, open: boolean) => setFolds((old) => new Map(old).set(number, open))
  const press = (row: PlanRow) => {
    setWalked(row.key)
    onChoose(row.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    const step = rowStep(rows, active, event.key)
    if (step === null && !(row && (event.key === 'Enter' || event.key === ' '))) return
    event.preventDefault()
    event.stopPropagation()
    if (step === null) {
      if (row?.is === 'phase' && row.key === chosen) toggle(row.phase, !row.open)
      else if (row) press(row)
    } else if ('toggle' in step) toggle(step.toggle, !(row?.is === 'phase' && row.open))
    else {
      const next = rows[step.to]
      if (next) press(next)
    }
  }
  return (
    <div
      ref={tree}
      className={css['tree']}
      role="tree"
      aria-label="Phases and subtasks"
      tabIndex={0}
      aria-activedescendant={rows[active] ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onBlur={() => setWalked(null)}
    >
      {rows.map((row, index) => (
        <div
          key={row.key}
          id={`${id}-${index}`}
          role="treeitem"
          className={`${css['row']} ${css[row.is]}`}
          aria-level={row.depth}
          aria-posinset={row.place}
          aria-setsize={row.of}
          aria-expanded={row.is === 'phase' ? row.open : undefined}
          aria-selected={index === here}
          data-active={index === active || undefined}
          onClick={() => press(row)}
        >
          {row.is === 'phase' && (
            <PhaseRow row={row} execution={execution} onToggle={() => toggle(row.phase, !row.open)} />
          )}
          {row.is === 'subtask' && <SubtaskRow row={row} plan={plan} execution={execution} />}
          {row.is === 'step' && <StepRow row={row} />}
        </div>
      ))}
    </div>
  )
}

function PhaseRow({
  row: { phase, open },
  execution,
  onToggle,
}: {
  row: Extract<PlanRow, { is: 'phase' }>
  execution: ExecutionView | null
  onToggle: () => void
}) {
  const now = useServerNow()
  const Chevron = open ? ChevronDown : ChevronRight
  const { subtasks, status, commit, from } = phase
  const done = subtasks.filter((one) => one.status === 'completed').length
  const live = status === 'running' || status === 'retrying'
  const proof = proofOf(phase)
  const more =
    live || (status === 'failed' && done < subtasks.length)
      ? subtasksText(done, subtasks.length)
      : subtasks.length > 1 || !open
        ? counted(subtasks.length, 'subtask')
        : ''
  return (
    <>
      {/* Only for the pointer: the keyboard has its arrows. */}
      <span
        className={css['chevron']}
        onClick={(event) => {
          event.stopPropagation()
          onToggle()
        }}
      >
        <Chevron size={16} strokeWidth={1.5} aria-hidden />
      </span>
      <StateMark mark={statusMarks[status]} bare live={live} />
      <span className={css['words']}>
        <span className={css['name']}>Phase {phase.number}</span>
        <span className={css['type']}>{typesOf(subtasks)}</span>
        {more !== '' && <span className={css['more']}>{more}</span>}
        {commit !== null && <code className={css['commit']}>{commit.slice(0, 7)}</code>}
        {(proof.length > 0 || from !== null || phase.attempt > 1) && (
          <span className={css['proofs']}>
            {proof.map(({ text, good }) => (
              <span key={text} className={`${css['proof']} ${good ? tones['completed'] : tones['failed']}`}>
                {good ? <Check {...small} /> : <X {...small} />} {text}
              </span>
            ))}
            {phase.attempt > 1 && (
              <span className={`${css['proof']} ${tones['blocked']}`}>attempt {phase.attempt}</span>
            )}
            {from !== null && <span className={css['more']}>done before</span>}
          </span>
        )}
      </span>
      <Figures cost={costOfPhase(phase, execution, now)} />
    </>
  )
}

function SubtaskRow({
  row: { phase, subtask },
  plan,
  execution,
}: {
  row: Extract<PlanRow, { is: 'subtask' }>
  plan: PlanView
  execution: ExecutionView | null
}) {
  const now = useServerNow()
  const { id, title, type, status, attempt } = subtask
  const files = plan.subtasks.find((one) => one.id === id)?.filesTouched ?? []
  return (
    <>
      <StateMark mark={statusMarks[status]} bare live={status === 'running'} />
      <span className={css['words']}>
        <span className={css['title']}>{shown(title)}</span>
        <span className={css['type']}>{type}</span>
        {attempt > 1 && <span className={`${css['proof']} ${tones['blocked']}`}>attempt {attempt}</span>}
        <span className={css['files']} title={shown(files.join('\n'))}>
          {shown(filesText(files))}
        </span>
      </span>
      <Figures cost={costOfSubtask(phase, subtask, execution, now)} />
    </>
  )
}

function StepRow({ row: { phase, step } }: { row: Extract<PlanRow, { is: 'step' }> }) {
  const now = useServerNow()
  const { session, role } = step
  const tree = phase.trees.find(({ attempt }) => attempt === session.attempt)
  const said =
    role === 'review'
      ? tree?.review && (tree.review.approved ? 'approved' : 'rejected')
      : role === 'check'
        ? tree?.checks
            .filter((one) => one.session === step.id)
            .map(({ name, summary }) => `${name}: ${summary}`)
            .join(' · ')
        : undefined
  return (
    <>
      <StateMark mark={stepMark(phase, step)} bare live={session.state !== 'ended'} />
      <span className={css['words']}>
        <span className={css['title']}>{roleWords[role]}</span>
        {said && <span className={css['files']}>{shown(said)}</span>}
      </span>
      <Figures cost={{ ms: lastedBy(session, now), tokens: allTokens(session.tokens) }} />
    </>
  )
}

/** Nothing before it begins: the words get the room. */
const small = { size: 12, strokeWidth: 2.25, 'aria-hidden': true } as const

const Figures = ({ cost: { ms, tokens } }: { cost: Cost }) =>
  ms === null && tokens === 0 ? null : (
    <span className={`${css['figures']} live-number`}>
      <span>{ms === null ? '' : elapsedText(ms)}</span>
      <span>{tokens === 0 ? '' : `${shortCount(tokens)} tok`}</span>
    </span>
  )

/** "src/user.ts, test/user.test.ts +2". */
function filesText(files: readonly string[]): string {
  const more = files.length - 2
  return `${files.slice(0, 2).join(', ')}${more > 0 ? ` +${more}` : ''}`
}
