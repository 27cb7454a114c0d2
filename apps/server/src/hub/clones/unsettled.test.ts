import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

test.each([
  ['was added when its server died goes', false, false],
  ['was removed when its server died, and is a project still, stays', true, true],
])('a clone that %s', async (_, isProject, stays) => {
  const source = await kit.source('lib')
  await kit.hub.unsettled(projectId)
  const { commit } = await kit.hub.fetch(kit.project(source))
  const again = await kit.again()
  await again.dropUnsettled((id) => isProject && id === projectId)
  expect(await readdir(dirname(again.path(projectId)))).toHaveLength(stays ? 1 : 0)
  expect((await again.current(kit.project(source)))?.commit).toBe(stays ? commit : undefined)
  // It is settled by then.
  await again.dropUnsettled(() => false)
  expect(await readdir(dirname(again.path(projectId)))).toHaveLength(stays ? 1 : 0)
})

test('a settled clone stays, whatever is known of its project', async () => {
  const source = await kit.source('lib')
  await kit.hub.unsettled(projectId)
  const { commit } = await kit.hub.fetch(kit.project(source))
  await kit.hub.settled(projectId)
  await kit.hub.dropUnsettled(() => false)
  expect((await kit.hub.current(kit.project(source)))?.commit).toBe(commit)
})
