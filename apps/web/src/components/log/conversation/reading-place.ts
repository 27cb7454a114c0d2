import type { Step } from '@beadloom/core/conversation/step.ts'

/** A line to bring into view once it is read; with `at` it is only scrolled there, as by the scroll bar. */
export type Goal = { line: number; at?: 'head' | 'top' | undefined }

/** A person's place in a conversation. Steps are named by their first lines. */
export type ReadingPlace = {
  /** New lines are scrolled into view. */
  following: boolean
  /** Number of lines when following began or ended; 0: never. */
  seen: number
  current: number | null
  /** Steps that the person opened or folded. */
  flipped: ReadonlyMap<number, boolean>
  goal: Goal | null
}

export type ReadingMove =
  | { is: 'follow'; on: boolean; lines: number }
  | { is: 'flip'; step: number; open: boolean }
  | { is: 'choose'; step: number }
  | { is: 'clear' }
  | { is: 'go'; goal: Goal }
  /** The step with the goal's line is read. */
  | { is: 'arrive'; goal: Goal; step: number }

/** `linked`: the first line of a permalink. */
export function placeAt(linked: number | null, start: 'end' | 'head' | 'top'): ReadingPlace {
  const goal: Goal | null = linked !== null ? { line: linked } : start === 'head' ? { line: 0, at: 'head' } : null
  return { following: linked === null && start === 'end', seen: 0, current: null, flipped: new Map(), goal }
}

export function movedTo(place: ReadingPlace, move: ReadingMove): ReadingPlace {
  switch (move.is) {
    case 'follow':
      return { ...place, following: move.on, seen: move.lines }
    case 'flip':
      return { ...place, following: false, flipped: new Map(place.flipped).set(move.step, move.open) }
    case 'choose':
      return { ...place, following: false, current: move.step }
    case 'clear':
      return { ...place, current: null }
    case 'go':
      return { ...place, following: false, goal: move.goal }
    case 'arrive':
      return arrived(place, move)
  }
}

/** A permalink or a match also opens the step, if its line is inside. A goal that another has replaced is dropped. */
function arrived(place: ReadingPlace, { goal, step }: ReadingMove & { is: 'arrive' }): ReadingPlace {
  const { flipped } = place
  if (goal !== place.goal) return place
  if (goal.at !== undefined) return { ...place, goal: null }
  const isInside = goal.line > step
  return { ...place, goal: null, current: step, flipped: isInside ? new Map(flipped).set(step, true) : flipped }
}

/** Lines that came since the person stopped following. */
export const unseenLines = ({ following, seen }: ReadingPlace, lines: number): number =>
  following || seen === 0 ? 0 : Math.max(0, lines - seen)

/** The smallest step that contains a line: parallel calls have each other's lines between their own. */
export function stepAt(steps: readonly Step[], line: number): Step | undefined {
  let found: Step | undefined
  for (const step of steps)
    if (step.first <= line && step.last >= line && (!found || step.last - step.first <= found.last - found.first))
      found = step
  return found
}
