import { expect, test } from 'vitest'
import { StoreError } from '@beadloom/server/src/ports/store/errors.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { execution, executionsOver, settled, stored } from './executions-kit.ts'

test('a failure ends with its reason and advice', async () => {
  const store = stored()
  expect(await executionsOver(store).executions.start(execution)).toBe(true)
  await settled(store)
  expect(store.execution(execution)).toMatchObject({
    state: 'FAILED',
    reason: 'infra_error',
    detail: 'There is no folder /x: check the path. Then run the bead again.',
  })
  store.close()
})

test('an end that cannot be stored is stored later: nothing stays RUNNING for ever', async () => {
  const store = stored()
  let tries = 0
  const full: Store = {
    ...store,
    endExecution: (id, end) => {
      if (++tries < 3) throw new StoreError('no-space', 'the disk is full')
      return store.endExecution(id, end)
    },
  }
  executionsOver(full).executions.start(execution)
  await settled(store)
  expect(tries).toBe(3)
  expect(store.execution(execution)?.state).toBe('FAILED')
  store.close()
})

test('a pipeline that breaks continues where it was, and no step runs twice', async () => {
  const store = stored()
  let broken = false
  const full: Store = {
    ...store,
    pipelineDone: (id, step) => {
      if (step === 'sync' && !broken) {
        broken = true
        throw new StoreError('no-space', 'the disk is full')
      }
      store.pipelineDone(id, step)
    },
  }
  executionsOver(full).executions.start(execution)
  await settled(store)
  const moves = store.events(execution, 0, 100).filter(({ type }) => type === 'bead')
  expect(moves.map(({ data }) => data)).toEqual([
    { from: 'open', to: 'in_progress' },
    { from: 'in_progress', to: 'open' }, // there was nothing to run it in
  ])
  store.close()
})

test('a bead that can no longer be read ends its execution instead of leaving it RUNNING', async () => {
  const store = stored()
  executionsOver({ ...store, bead: () => null }).executions.start(execution)
  await settled(store)
  expect(store.execution(execution)).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
  store.close()
})
