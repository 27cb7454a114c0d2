import { expect, test } from 'vitest'
import type { Hub } from '../ports/hub.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { whereCommitted } from './left-work.ts'

const demo = parseProjectId('demo')
const execution = { kind: 'work', project: demo, branch: 'beads-a', baseCommit: 'base' } as const

/** A hub with these branches; each commit contains itself and the named ones. */
const told = (tips: Record<string, string>, of: Partial<Record<keyof typeof execution, unknown>> = {}) => {
  const hub = {
    path: () => '/hub/demo.git',
    tip: async (_: string, ref: string) => tips[ref] ?? null,
    contains: async (_: string, commit: string, ancestor: string) => commit.split('+').includes(ancestor),
  } as unknown as Hub
  return whereCommitted({ hub }, { ...execution, ...(of as object) }, 'beadloom/work')
}

test('unmerged commits of an execution are reported, with the command that fetches them', async () => {
  expect(await told({ 'refs/heads/beads-a': 'done', 'refs/heads/beadloom/work': 'base' })).toContain(
    "is on branch beads-a, which is not merged. To have it in a clone on the server's machine: git fetch /hub/demo.git beads-a:beads-a.",
  )
  expect(await told({ 'refs/heads/beads-a': 'done' })).not.toBe('')
})

test.each([
  ['it has committed nothing', { 'refs/heads/beads-a': 'base' }, {}],
  ['it has no branch', {}, {}],
  ['it never began', { 'refs/heads/beads-a': 'done' }, { baseCommit: null }],
  ['its work is merged', { 'refs/heads/beads-a': 'done', 'refs/heads/beadloom/work': 'base+done' }, {}],
  ['it only looks at work', { 'refs/heads/beads-a': 'done' }, { kind: 'review' }],
])('if %s, no branch is reported', async (_why, tips, of) => {
  expect(await told(tips as Record<string, string>, of)).toBe('')
})
