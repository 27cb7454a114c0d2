import { expect, test } from 'vitest'
import type { LiveExecution } from './live-execution.ts'
import { saidBefore } from './said-before.ts'

test('a message that still waits is not told a second time', () => {
  const said = ['delivered', 'waiting', 'refused'].map((state) => ({ state }))
  const live = { bead: {}, project: {}, deps: { store: { messagesOfBead: () => said } } } as unknown as LiveExecution
  expect(saidBefore(live)).toEqual([{ state: 'delivered' }, { state: 'refused' }])
})
