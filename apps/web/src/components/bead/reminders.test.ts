import type { BeadView, FollowUpView } from '@beadloom/core/api/api.ts'
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
  test('has what was filed for any of its runs and is still open, each once', () => {
    const runs = [{ followUps: [] }, { followUps: [filed('a-1'), filed('a-2', 'done')] }, { followUps: [filed('a-1')] }]
    expect(leftOver('done', runs).map(({ bead }) => bead)).toEqual(['a-1'])
    expect(leftOver('done', runs, () => true)).toEqual([])
  })

  test('is the only one that asks: as long as it is not done, they are its next actions', () => {
    expect(leftOver('blocked', [{ followUps: [filed('a-1')] }])).toEqual([])
  })
})

describe('a bead that was filed for another one', () => {
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

  test('knows whether that one is done or still waits for an answer, by what the board says of it now', () => {
    expect(originOf(given(), asRead)).toEqual({ bead: 'a-0', state: 'done' })
    expect(originOf(given({ dependencies: [edge('blocked')] }), asRead)).toEqual({ bead: 'a-0', state: 'blocked' })
    expect(originOf(given({ dependencies: [edge('blocked')] }), () => 'completed')?.state).toBe('done')
    expect(originOf(given({ dependencies: [edge('blocked')] }), () => 'running')).toBeNull()
  })

  test('is work of its own where that is underway or gone, where a review or a person filed it, and when it is done', () => {
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
