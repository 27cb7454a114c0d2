import { describe, expect, test } from 'vitest'
import { sessionOutcomes, sessionStates, transitionSession } from './session.ts'
import type { SessionEvent } from './session.ts'

describe('a session’s state', () => {
  const events: SessionEvent[] = [
    { type: 'container-started' },
    ...sessionOutcomes.map((outcome) => ({ type: 'ended', outcome }) as const),
  ]

  test.each(events)('after $type $outcome', (event) => {
    const to = event.type === 'ended' ? 'ended' : 'running'
    const allowed = event.type === 'ended' ? ['starting', 'running'] : ['starting']
    for (const from of sessionStates) {
      const next = transitionSession(from, event)
      if (allowed.includes(from)) expect(next).toBe(to)
      else expect(next).toEqual({ refused: `a session that is ${from} cannot become ${to}` })
    }
  })
})
