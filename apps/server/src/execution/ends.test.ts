import { expect, test } from 'vitest'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { HubError } from '../ports/hub.ts'
import { endOfError, endOfExit, endOfSession } from './ends.ts'

const ended = { code: 143, oomKilled: false, lost: false, startedAt: 0, finishedAt: 1 }

test('a session that somebody else has asked to end was stopped from outside', () => {
  expect(endOfExit(ended, 1024, 'stopped')).toMatchObject({ kind: 'stopped_outside' })
})

test('an engine that took its container away is quoted, and the retry policy decides', () => {
  const why = 'its pod on node1 has ended (Evicted: The node was low on resource: memory)'
  const end = endOfExit({ ...ended, code: -1, lost: true, why }, 1024, 'stopped')
  expect(end).toMatchObject({ kind: 'container_lost', detail: expect.stringContaining(why) })
})

test('an agent that started afresh and used up its steps each time says how many attempts there were', () => {
  const settings = { limits: { maxSteps: 30 } } as ProjectSettings
  const session = { outcome: 'turn_limit', reason: null, exitCode: null, cause: null } as const
  const detailOf = (detail: string) => endOfSession(settings, 'b', { ...session, detail }).detail
  expect(detailOf('Failed after 4 attempts. Last error: the agent used all of its 30 steps')).toMatch(
    / Failed after 4 attempts\. Last error: the agent used all of its 30 steps\.$/,
  )
  expect(detailOf('the agent used all of its 30 steps')).not.toContain('Failed after')
})

test('a long message of git keeps its beginning and its end', () => {
  const end = endOfError(new HubError('git-failed', `git merge failed: ${'CONFLICT (add) '.repeat(10_000)}at last`))
  expect(end?.detail).toMatch(/^Git merge failed: [^]*characters left out[^]*at last\. Then run the bead again\.$/)
  expect(end?.detail.length).toBeLessThan(8_200)
})

test('a full disk under a git of the hub is no failure of the repository', () => {
  const why = 'git merge-tree failed (exit 128), because the disk of the server is full: error: unable to write file'
  expect(endOfError(new HubError('no-space', why))).toMatchObject({
    kind: 'no_space',
    detail: expect.stringMatching(/disk of the server is full: [^]*Free some space/),
  })
})
