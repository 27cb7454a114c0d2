// @suite unit-long
import { beforeEach, expect, test } from 'vitest'
import { branch, startKit, workBy, type Kit } from '../testing/session-kit.ts'
import { packOf } from '../testing/test-hub.ts'

let kit: Kit
let tip: string
const packed = async (revisions: string, how?: string[]) =>
  (await packOf(kit.hub.bare, revisions, how)).toString('base64')
beforeEach(async () => {
  kit = await startKit()
  await kit.run({ kind: 'setup', command: null, timeoutMs: 60_000 })
  tip = await kit.hub.commit(branch, { 'README.md': 'newer\n', 'src/a.txt': 'a' })
})
const begin = async (pack: string) => {
  const before = kit.hub.fetches
  await kit.run(workBy('git rev-parse HEAD @{upstream}; cat README.md; git fsck --strict --no-dangling; exit 1'), {
    tip,
    pack,
  })
  expect(kit.record.text('message')).toBe(`${tip}\n${tip}\nnewer\n`)
  return kit.hub.fetches - before
}

test('commits that the workspace lacks come with the order, and the hub is asked for nothing', async () => {
  const atTheEnd = 1
  expect(await begin(await packed(`${tip}\n^${kit.base}\n`))).toBe(atTheEnd)
})

test.each([
  ['is cut off', async () => (await packed(`${tip}\n^${kit.base}\n`)).slice(0, 80)],
  ['is no pack', async () => Buffer.from('PACK and so on').toString('base64')],
  [
    'leans on a commit that is not here',
    async () => {
      const between = tip
      tip = await kit.hub.commit(branch, { 'src/b.txt': 'b' })
      return packed(`${tip}\n^${between}\n`)
    },
  ],
  ['lacks the files of its commit', () => packed(`${tip}\n`, [])],
  ['brings another commit', async () => packed(`${await kit.hub.commit('elsewhere', { 'c.txt': 'c' })}\n^${tip}\n`)],
])('if the delivery %s, it is fetched', async (_, pack) => {
  expect(await begin(await pack())).toBe(2)
})
