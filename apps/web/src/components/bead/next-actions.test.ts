import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { describe, expect, test } from 'vitest'
import { recommendedText, nextActions } from './next-actions.ts'

type Given = Pick<ExecutionView, 'state' | 'reason' | 'failureKind' | 'attempt' | 'followUps'>
const followUp = { bead: 'bl-9', kind: 'tests_failing', title: 'Tests failing', status: 'open' as const }
const ended = (over: Partial<Given> = {}): Given => ({
  state: 'FAILED',
  reason: 'verification_exhausted',
  attempt: 3,
  followUps: [followUp],
  ...over,
})
const actions = (execution: Given | null, status: Parameters<typeof nextActions>[0] = 'in_progress', live = false) =>
  nextActions(status, execution, () => live).map(({ action }) => action)

describe('the next actions of a bead', () => {
  test('whose checks kept failing begin with its follow-up', () => {
    expect(actions(ended())).toEqual(['follow-up', 'note', 'again'])
    expect(nextActions('in_progress', ended(), () => true)[0]).toMatchObject({ live: true })
    expect(actions(ended({ followUps: [] }))).toEqual(['note', 'again'])
  })

  test('that was cut short begin with running again: there is nothing wrong with the work', () => {
    for (const reason of ['infra_error', 'retries_exhausted', 'turn_limit', 'orchestrator_restart'] as const)
      expect(actions(ended({ reason }))[0], reason).toBe('again')
    expect(
      actions(
        ended({ state: 'TIMEOUT', reason: 'wall_clock', followUps: [{ ...followUp, kind: 'timeout' }] }),
        'timeout',
      ),
    ).toEqual(['again', 'note'])
  })

  test('that had nothing to run in are to run it again, and never its reminder', () => {
    const filed = { ...followUp, kind: 'execution_failed', title: 'Execution failed' }
    const unset = ended({ reason: 'infra_error', failureKind: 'setup_failed', attempt: 0, followUps: [filed] })
    expect(actions(unset, 'open')).toEqual(['again'])
    const broke = ended({ reason: 'infra_error', failureKind: 'agent_crashed', attempt: 1, followUps: [filed] })
    expect(actions(broke)).toEqual(['again', 'note', 'follow-up'])
  })

  test('whose work could not be checked are to run it again unchanged: a note would change nothing', () => {
    const unchecked = ended({ reason: 'not_checked', followUps: [] })
    expect(actions(unchecked)).toEqual(['again', 'note'])
    expect(actions({ ...unchecked, followUps: [{ ...followUp, kind: 'execution_failed' }] })[0]).toBe('follow-up')
  })

  test('with a question begin with an answer', () => {
    const blocked = ended({ state: 'BLOCKED', reason: null })
    expect(actions(blocked, 'blocked')).toEqual(['note', 'again'])
    expect(nextActions('blocked', blocked)[0]?.says).toMatch(/bl-9, the reminder, closes/)
  })

  test('whose follow-ups are all done begin with closing it', () => {
    const done = { ...followUp, status: 'done' as const }
    expect(actions(ended({ followUps: [done] }))).toEqual(['close', 'again', 'note'])
    expect(actions(ended({ followUps: [done, followUp] }))[0]).toBe('follow-up')
  })

  test('that runs, is done, was stopped by a person or never ran do not exist', () => {
    expect(actions(null)).toEqual([])
    expect(actions(ended({ state: 'RUNNING', reason: null }))).toEqual([])
    expect(actions(ended({ state: 'CANCELLED', reason: null }))).toEqual([])
    expect(actions(ended({ state: 'COMPLETED', reason: null }))).toEqual([])
    expect(actions(ended(), 'done')).toEqual([])
  })

  test('are named in the dialog by the recommended one', () => {
    expect(recommendedText(nextActions('in_progress', ended()))).toMatch(/^Recommended: run bl-9 instead/)
    expect(recommendedText(nextActions('blocked', ended({ state: 'BLOCKED', reason: null })))).toBe(
      'Recommended: run again with a note.',
    )
    expect(recommendedText(nextActions('open', null))).toBeNull()
  })
})
