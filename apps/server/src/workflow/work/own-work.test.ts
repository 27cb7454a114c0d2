import { expect, test } from 'vitest'
import { parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { WorkTip } from '../../ports/hub.ts'
import { hasWork, isThereAlready } from './own-work.ts'

const project = parseProjectId('demo')
const commit = 'c'.repeat(40)

/** A follow-up, with work that was merged under another name and not published. */
function followUp(...from: string[]) {
  const asked: string[] = []
  const live = {
    project: { id: project },
    bead: {
      id: parseBeadId('a-2'),
      baseBranch: 'beadloom/a-1',
      dependencies: from.map((dependsOn) => ({ type: 'discovered-from', dependsOn })),
    },
    deps: {
      hub: {
        commits: async (_: unknown, since: string) => (since === 'work' ? [] : [{ commit, subject: 'Tidied up' }]),
        tip: async () => null,
      },
      store: {
        executions: ({ bead }: { bead: string }) => {
          asked.push(bead)
          return bead === 'a-1' ? [{ kind: 'work', commit, branch: 'beadloom/a-1', baseCommit: commit }] : []
        },
      },
    },
  } as unknown as LiveExecution
  return { live, asked }
}
const workTip = { commit: 'work', published: 'published' } as WorkTip

test('work of the bead that a follow-up was filed for is its own, whatever origin the tracker names', async () => {
  const { live, asked } = followUp('external:shop:login', 'a-1')
  expect(await hasWork(live, 'tip', workTip)).toBe(true)
  expect(asked).toEqual(['a-2', 'a-1'])
  expect(await isThereAlready(live, workTip)).toBe(false)
  expect(asked).toEqual(['a-2', 'a-1', 'a-1'])
})

test('a follow-up of something that is no bead here has only its own work', async () => {
  const { live } = followUp('external:shop:login')
  expect(await hasWork(live, 'tip', workTip)).toBe(false)
  expect(await isThereAlready(live, workTip)).toBe(false)
})
