import type { Session } from '@beadloom/core/records/session.ts'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { ReadingMove, ReadingPlace } from './reading-place.ts'
import type { StepTools } from './step-tools.ts'
import { useCalls } from './use-calls.ts'
import type { Conversation } from './use-conversation.ts'
import type { Lines } from '../lines/line-selection.ts'

type Parts = {
  session: Session
  conversation: Conversation
  place: ReadingPlace
  move: (move: ReadingMove) => void
  mark: RegExp | null
  live: boolean
  onLog: (lines: Lines) => void
}

/** The tools of all steps: other ones only if the steps have to be drawn again. */
export function useStepTools({ session, conversation, place, move, mark, live, onLog }: Parts): StepTools {
  const { log, steps } = conversation
  const { flipped } = place
  const given = useCalls(session.id, steps)
  const latest = useRef(onLog)
  useEffect(() => {
    latest.current = onLog
  })
  const toLog = useCallback((first: number, last: number) => latest.current({ first, last }), [])
  return useMemo(
    () => ({
      line: (n) => log?.line(n),
      given: (n) => given.get(n),
      isOpen: (first) => flipped.get(first),
      flip: (step, open) => move({ is: 'flip', step, open }),
      toLog,
      mark,
      live,
    }),
    [log, given, flipped, move, toLog, mark, live],
  )
}
