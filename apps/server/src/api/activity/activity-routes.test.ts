import type { FailuresView } from '@beadloom/core/api/projects/activity-api.ts'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { ASKED } from '../../compose/testing/api-world.ts'
import { startHttp } from '../../compose/testing/start-http.ts'

const project = parseProjectId('demo')

test('failures are counted by reason, the most frequent first, each with its newest execution', async () => {
  const { api, ask, clock } = await startHttp()
  clock.jump(Date.now() - clock.now())
  let at = 0
  const failed = (name: string) => {
    const id = parseExecutionId(`ex-000000001${(at += 1)}`)
    const bead = parseBeadId(name)
    api.store.queueExecution({ id, project, bead, kind: 'work', branch: name, context: '', maxAttempts: 3 })
    api.store.startExecution(id, Number.MAX_SAFE_INTEGER)
    api.store.endExecution(id, { state: 'FAILED', reason: 'no_progress', detail: `${name} stands still` })
    return id
  }
  failed('bl-1')
  failed('bl-1')
  const newest = failed('bl-2')
  const view = (await ask('/api/projects/demo/failures')).json() as FailuresView
  expect(view).toMatchObject({
    items: [
      { state: 'FAILED', reason: 'no_progress', executions: 3, beads: 2, newest: { execution: newest, bead: 'bl-2' } },
      { state: 'BLOCKED', reason: null, executions: 1, beads: 1, newest: { execution: ASKED } },
    ],
    left: false,
  })
  clock.jump(8 * 24 * 3_600_000)
  expect((await ask('/api/projects/demo/failures')).json()).toMatchObject({ items: [] })
  expect((await ask('/api/projects/demo/failures?days=9')).json()).toMatchObject({ items: [{}, {}] })
  expect(await ask('/api/projects/none/failures')).toMatchObject({ status: 404 })
})
