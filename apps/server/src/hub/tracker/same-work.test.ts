// @suite unit-long
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from '../hub-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

const TRACKER = '.beads/issues.jsonl'
const cases: [what: string, changed: Record<string, string>, same: boolean][] = [
  ["only the tracker's file is new", { [TRACKER]: '{}\n' }, true],
  ['a file of the work changed', { 'README.md': 'other\n' }, false],
  ['both changed', { [TRACKER]: '{}\n', 'README.md': 'other\n' }, false],
  ["another file of the tracker's folder is new", { '.beads/config.yaml': 'a: b\n' }, false],
  ["a file below a folder with the tracker's name is new", { [`${TRACKER}/a`]: 'a\n' }, false],
  ["a file has the name of the tracker's folder", { '.beads': 'a\n' }, false],
  ['a file of the same name lies elsewhere', { 'src/.beads/issues.jsonl': '{}\n' }, false],
]

for (const [what, changed, same] of cases)
  test(`two commits hold ${same ? 'the same' : 'different'} work where ${what}`, async () => {
    const source = await kit.source('sample')
    const before = await kit.git(source, 'rev-parse', 'HEAD')
    const after = await kit.commit(source, changed)
    await kit.hub.fetch(kit.project(source))
    expect(await kit.hub.isSameWork(projectId, before, after)).toBe(same)
    expect(await kit.hub.isSameWork(projectId, after, before)).toBe(same)
  })

test('work is the same if only the text of the tracker changed, and a missing commit has none', async () => {
  const source = await kit.source('sample')
  const one = await kit.commit(source, { [TRACKER]: '{"id":"a"}\n', '.beads/config.yaml': 'a: b\n' })
  const two = await kit.commit(source, { [TRACKER]: '{"id":"b"}\n' })
  await kit.hub.fetch(kit.project(source))
  expect(await kit.hub.isSameWork(projectId, one, two)).toBe(true)
  expect(await kit.hub.isSameWork(projectId, one, '0'.repeat(40))).toBe(false)
})
