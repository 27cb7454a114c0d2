import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { cameTo, checkOfSession } from '@beadloom/core/execution/check-session.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { isRejectedReview } from '@beadloom/core/views/rejected-review.ts'
import { useMemo } from 'react'
import { roleWords, statusMarks } from '../plan/plan-marks.ts'
import { usePhases } from '../plan/use-plan.ts'
import { kindWords } from '../session-chip.tsx'
import { marks, outcomeMark, rejectedMark, type Mark } from '../../../components/bead/states.ts'
import type { ThreadHead } from '../../../components/log/conversation/thread-head.tsx'
import { elapsedText } from '../../../ui/text/time-text.ts'

type Own = NonNullable<ExecutionView['inPhases']>[number] & { session: Session }
type Known = Pick<ExecutionView, 'sessions' | 'verifications' | 'inPhases' | 'reason' | 'redGreen'>

/** The sessions of an execution by a plan, phase by phase and subtask by subtask; undefined for all others. */
export function usePhaseThreads(execution: ExecutionView | null): ThreadHead[] | undefined {
  const planned = (execution?.inPhases?.length ?? 0) > 0 ? execution : null
  const phases = usePhases(planned).data?.items
  return useMemo(() => (planned === null ? undefined : phaseThreads(planned, phases ?? [])), [planned, phases])
}

/** In the order of a story: sessions before the phases, each phase, and sessions after them. */
export function phaseThreads(execution: Known, phases: readonly Pick<PhaseView, 'number' | 'status' | 'subtasks'>[]) {
  const { inPhases = [] } = execution
  const sessions = execution.sessions.filter(({ kind }) => kind !== 'service' && kind !== 'save')
  const own = inPhases.flatMap((one): Own[] => {
    const session = sessions.find(({ id }) => id === one.id)
    return session ? [{ ...one, session }] : []
  })
  const others = sessions.filter(({ id }) => !inPhases.some((one) => one.id === id))
  const [first, last] = [own.at(0)?.session.number ?? 0, own.at(-1)?.session.number ?? 0]
  const beside = (one: Session): ThreadHead => headOf(one, execution, nameOf(one, execution), 0)
  const numbers = [...new Set(own.map(({ phase }) => phase))].toSorted((a, b) => a - b)
  return [
    ...others.filter(({ number }) => number < first).map(beside),
    ...numbers.flatMap((number) => {
      const known = phases.find((one) => one.number === number)
      return phaseHeads(
        number,
        own.filter(({ phase }) => phase === number),
        known,
        execution,
      )
    }),
    ...others.filter(({ number }) => number > first && number < last).map(beside),
    ...others.filter(({ number }) => number > last).map(beside),
  ]
}

function phaseHeads(
  number: number,
  own: readonly Own[],
  known: Pick<PhaseView, 'status' | 'subtasks'> | undefined,
  execution: Known,
): ThreadHead[] {
  const head = group(`phase ${number}`, 0, `Phase ${number}`, known ? statusMarks[known.status] : marks.running)
  const attempts = [...new Set(own.map(({ phaseAttempt }) => phaseAttempt))].toSorted((a, b) => a - b)
  const again = (attempt: number) => (attempt > 1 ? ', again' : '')
  return [
    head,
    ...attempts.flatMap((attempt) => {
      const made = own.filter(({ phaseAttempt }) => phaseAttempt === attempt)
      const ids = [...new Set(made.flatMap(({ role, subtask }) => (role === 'subtask' ? [subtask] : [])))]
      const subtasks = ids.flatMap((id) => {
        const subtask = known?.subtasks.find((one) => one.id === id)
        const title = `${id}${subtask ? ` ${subtask.title}` : ''}${again(attempt)}`
        const all = made.filter((one) => one.role === 'subtask' && one.subtask === id)
        const [only] = all
        if (only && all.length === 1) return [headOf(only.session, execution, title, 1)]
        const mark = markOf(all.at(-1)!.session, execution)
        return [
          group(`phase ${number} ${attempt} ${id}`, 1, title, mark),
          ...all.map(({ session }, at) => headOf(session, execution, `Session ${at + 1}`, 2)),
        ]
      })
      const steps = made.filter(({ role }) => role !== 'subtask')
      return [
        ...subtasks,
        ...steps.map(({ role, session }) => headOf(session, execution, `${roleWords[role]}${again(attempt)}`, 1)),
      ]
    }),
  ]
}

const group = (key: string, level: 0 | 1, title: string, mark: Mark): ThreadHead => ({
  key,
  level,
  session: null,
  title,
  mark,
  live: mark.tone === 'running',
  end: '',
})

/** A running session's duration is in the pipeline above, which counts the seconds. */
function headOf(session: Session, execution: Known, title: string, level: 0 | 1 | 2): ThreadHead {
  const live = session.state !== 'ended'
  const took = live ? null : lastedBy(session, session.endedAt ?? session.startedAt)
  return {
    key: session.id,
    level,
    session: session.id,
    title,
    mark: markOf(session, execution),
    live,
    end: took === null ? '' : elapsedText(took),
  }
}

function markOf(session: Session, execution: Known): Mark {
  if (isRejectedReview(session.id, execution)) return rejectedMark
  const outcome = cameTo(session, execution)
  return outcome ? outcomeMark[outcome] : session.state === 'ended' ? marks.completed : marks.running
}

function nameOf(session: Session, execution: Known): string {
  const check = checkOfSession(session, execution)
  if (check === null) return kindWords[session.kind]
  if (check.purpose === 'start') return 'Tests without the change'
  if (check.purpose === 'original') return 'Tests as they were'
  const word = check.repeated ? 're-check' : 'check'
  return check.purpose === 'merge' ? `Merge ${word}` : `Final ${word}`
}
