import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { leftText } from '@beadloom/core/execution/left-text.ts'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { expect, test } from 'vitest'
import { endNow } from './kept-containers.ts'

const left = leftText({ refs: [], containers: [{ name: 'bl-a', bytes: 2048 }] }, (ref) => ref)
const ended = {
  id: parseExecutionId('ex-aaaaaaaaaa'),
  project: parseProjectId('demo'),
  detail: `You stopped it.${left}`,
  endedAt: 1000,
}
const hub = { path: () => '/hub/demo.git' }
const KEPT = 'Unsaved work of the agent is in the container bl-a, which is kept: its hub is away'
const told = (events: Record<string, { at: number; data: object }>, kept: { name: string }[] = []) =>
  endNow(
    {
      store: {
        lastEvent: (execution, type) => {
          const row = events[type]
          return row ? { ...row, execution, type, seq: 1, session: null, line: null } : null
        },
      },
      hub,
    },
    ended,
    kept as KeptContainer[],
  )

test('an end names a container as long as it is kept; then it says that its work is saved, discarded or lost', () => {
  const warning = { at: 990, data: { text: KEPT } }
  expect(told({ warning }, [{ name: 'bl-a' }])).toBe(ended.detail)
  const saved = { at: 2000, data: { ref: 'refs/beadloom/ex-aaaaaaaaaa/left', commit: 'c' } }
  expect(told({ warning, saved })).toMatch(
    /^You stopped it\. Its unsaved work is saved on refs\/beadloom\/ex-aaaaaaaaaa\/left\. .*git fetch \/hub\/demo\.git refs/,
  )
  const text = 'The container bl-a was discarded, with unsaved work.'
  expect(told({ warning: { at: 2000, data: { text } } })).toBe(`You stopped it. ${text}`)
  // The hub had everything: the work of an earlier container was saved before the end.
  expect(told({ warning, saved: { ...saved, at: 900 } })).toBe('You stopped it.')
})
