import type { Step } from '@beadloom/core/conversation/step.ts'
import { useEffect, useEffectEvent, type RefObject } from 'react'
import { stepAt, type Goal, type ReadingMove, type ReadingPlace } from './reading-place.ts'
import type { Rows } from './use-step-scroll.ts'
import type { Conversation } from './use-conversation.ts'

type Parts = {
  place: ReadingPlace
  move(move: ReadingMove): void
  conversation: Conversation
  rows: RefObject<Rows | null>
  /** First line of the permalink. */
  linked: number | null
  /** The line of the current match. */
  hit: number | undefined
  /** The session has a head above its steps. */
  isHeaded: boolean
}
export type Reading = {
  current: Step | undefined
  goTo(line: number, at?: Goal['at']): void
  choose(step: Step | undefined): void
  /** Moves by a step. Without a current one: to the first or the last. */
  step(by: 1 | -1): void
  follow(): void
  /** Also leaves the current step. */
  toEnd(): void
}

/** Moves a person's place in a conversation, also to a permalink or a match, and shows its goal once that is read. */
export function useReadingPlace({ place, move, conversation, rows, linked, hit, isHeaded }: Parts): Reading {
  const { steps, lines } = conversation
  const { goal } = place

  const goTo = (line: number, at?: Goal['at']) => {
    move({ is: 'go', goal: { line, at } })
    conversation.reach(line)
  }
  const jump = useEffectEvent((line: number) => goTo(line))
  useEffect(() => {
    if (hit !== undefined) jump(hit)
  }, [hit])
  useEffect(() => {
    if (linked !== null) jump(linked)
  }, [linked])
  const show = useEffectEvent(({ at }: Goal, first: number) =>
    rows.current?.show(at === 'head' && isHeaded ? 'head' : first, at !== undefined),
  )
  useEffect(() => {
    if (goal === null) return
    const step = stepAt(steps, goal.line)
    if (!step || step.is === 'gap') return
    move({ is: 'arrive', goal, step: step.first })
    show(goal, step.first)
  }, [goal, steps, move])

  const choose = (step: Step | undefined) => {
    if (!step) return
    move({ is: 'choose', step: step.first })
    rows.current?.show(step.first)
  }
  const follow = () => {
    conversation.toEnd()
    move({ is: 'follow', on: true, lines })
  }
  const at = steps.findIndex(({ first }) => first === place.current)
  return {
    current: steps[at],
    goTo,
    choose,
    step: (by) => choose(at < 0 ? steps.at(by === 1 && !place.following ? 0 : -1) : steps[Math.max(0, at + by)]),
    follow,
    toEnd: () => {
      move({ is: 'clear' })
      follow()
    },
  }
}
