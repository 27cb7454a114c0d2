import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { describe, expect, test } from 'vitest'
import { usualWords, waysOn } from './next-actions.ts'

type Given = Pick<ExecutionView, 'state' | 'reason' | 'followUps'>
const followUp = { bead: 'bl-9', kind: 'tests_failing', title: 'Tests failing', status: 'open' as const }
const ended = (over: Partial<Given> = {}): Given => ({
  state: 'FAILED',
  reason: 'verification_exhausted',
  followUps: [followUp],
  ...over,
})
const ways = (execution: Given | null, status: Parameters<typeof waysOn>[0] = 'in_progress', live = false) =>
  waysOn(status, execution, () => live).map(({ way }) => way)

describe('the ways on of a bead', () => {
  test('whose checks kept failing begin with the bead that was filed for it', () => {
    expect(ways(ended())).toEqual(['follow-up', 'note', 'again'])
    expect(waysOn('in_progress', ended(), () => true)[0]).toMatchObject({ live: true })
    expect(ways(ended({ followUps: [] }))).toEqual(['note', 'again'])
  })

  test('that was cut short begin with another run: there is nothing wrong with the work', () => {
    for (const reason of ['infra_error', 'retries_exhausted', 'turn_limit', 'orchestrator_restart'] as const)
      expect(ways(ended({ reason }))[0], reason).toBe('again')
    expect(
      ways(ended({ state: 'TIMEOUT', reason: 'wall_clock', followUps: [{ ...followUp, kind: 'timeout' }] }), 'timeout'),
    ).toEqual(['again', 'note'])
  })

  test('with a question begin with an answer', () => {
    const blocked = ended({ state: 'BLOCKED', reason: null })
    expect(ways(blocked, 'blocked')).toEqual(['note', 'again'])
    expect(waysOn('blocked', blocked)[0]?.says).toMatch(/When it is done, close bl-9/)
  })

  test('whose follow-ups are all done begin with closing it', () => {
    const done = { ...followUp, status: 'done' as const }
    expect(ways(ended({ followUps: [done] }))).toEqual(['close', 'again', 'note'])
    expect(ways(ended({ followUps: [done, followUp] }))[0]).toBe('follow-up')
  })

  test('that runs, is done, was stopped by a person or never ran are none', () => {
    expect(ways(null)).toEqual([])
    expect(ways(ended({ state: 'RUNNING', reason: null }))).toEqual([])
    expect(ways(ended({ state: 'CANCELLED', reason: null }))).toEqual([])
    expect(ways(ended({ state: 'COMPLETED', reason: null }))).toEqual([])
    expect(ways(ended(), 'done')).toEqual([])
  })

  test('are told in the dialog by the usual one', () => {
    expect(usualWords(waysOn('in_progress', ended()))).toMatch(/^Usual here: to run bl-9 instead/)
    expect(usualWords(waysOn('blocked', ended({ state: 'BLOCKED', reason: null })))).toBe(
      'Usual here: this, with a note.',
    )
    expect(usualWords(waysOn('open', null))).toBeNull()
  })
})
