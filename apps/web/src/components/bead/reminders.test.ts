import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { FollowUpView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import { describe, expect, test } from 'vitest'
import { leftOver, originOf } from './reminders.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'

const filed = (bead: string, status: FollowUpView['status'] = 'open'): FollowUpView => ({
  bead,
  kind: 'blocked',
  title: 'Blocked: x',
  status,
})

describe('a bead that is done', () => {
  test('has the open follow-ups of any of its runs, each once', () => {
    const runs = [{ followUps: [] }, { followUps: [filed('a-1'), filed('a-2', 'done')] }, { followUps: [filed('a-1')] }]
    expect(leftOver('done', runs).map(({ bead }) => bead)).toEqual(['a-1'])
    expect(leftOver('done', runs, () => true)).toEqual([])
  })

  test('is the only one that asks: until it is done, they are its next actions', () => {
    expect(leftOver('blocked', [{ followUps: [filed('a-1')] }])).toEqual([])
  })
})

describe('a follow-up of another bead', () => {
  const edge = (status: BeadView['dependencies'][number]['status'], type = 'discovered-from') => ({
    id: 'a-0',
    type,
    status,
    title: 'x',
  })
  const given = (over: Partial<Parameters<typeof originOf>[0]> = {}): Parameters<typeof originOf>[0] => ({
    status: 'open',
    labels: ['beadloom', 'needs-human'],
    dependencies: [edge('done')],
    ...over,
  })

  const asRead = (_: string, status: BeadStatus): Lane =>
    status === 'done' ? 'completed' : status === 'blocked' ? 'blocked' : 'open'

  test('knows from the board whether that one is done or still waits for an answer', () => {
    expect(originOf(given(), asRead)).toEqual({ bead: 'a-0', state: 'done' })
    expect(originOf(given({ dependencies: [edge('blocked')] }), asRead)).toEqual({ bead: 'a-0', state: 'blocked' })
    expect(originOf(given({ dependencies: [edge('blocked')] }), () => 'completed')?.state).toBe('done')
    expect(originOf(given({ dependencies: [edge('blocked')] }), () => 'running')).toBeNull()
  })

  test('is work of its own if that one is underway or gone, if a review or a person filed it, and when it is done', () => {
    for (const one of [
      given({ dependencies: [edge('in_progress')] }),
      given({ dependencies: [edge('missing')] }),
      given({ dependencies: [edge('done', 'blocks')] }),
      given({ labels: ['beadloom', 'review'] }),
      given({ labels: [] }),
      given({ status: 'done' }),
    ])
      expect(originOf(one, asRead)).toBeNull()
  })
})
