import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from './hub-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

test('the merge base is the newest commit that both branches have; without a common history there is none', async () => {
  const source = await kit.source('sample')
  const start = await kit.git(source, 'rev-parse', 'HEAD')
  const main = await kit.commit(source, { 'a.txt': 'a\n' })
  await kit.git(source, 'checkout', '-q', '-b', 'other', start)
  const other = await kit.commit(source, { 'b.txt': 'b\n' })
  await kit.git(source, 'checkout', '-q', '--orphan', 'stranger')
  const stranger = await kit.commit(source, { 'c.txt': 'c\n' })
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))

  expect(await kit.hub.mergeBase(projectId, main, start)).toBe(start)
  for (const [one, two] of [
    [main, other],
    [other, main],
  ] as const)
    expect(await kit.hub.mergeBase(projectId, one, two)).toBe(start)
  expect(await kit.hub.mergeBase(projectId, main, stranger)).toBeNull()
  await expect(kit.hub.mergeBase(projectId, main, '--all')).rejects.toThrow()
})
