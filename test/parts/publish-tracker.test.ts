// @suite unit-long
import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { file, line } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { HubError } from '@beadloom/server/src/ports/hub.ts'
import { integrateAndPublish } from '@beadloom/server/src/publish/publish.ts'
import { checkedBy, passing, type PublishKit, publishKit, type Work, workBranch } from './publish-kit.ts'

/* Publishing while beads are written to the same branch, and with agents that touch the tracker's file. */

const FILE = '.beads/issues.jsonl'
const start = file(line('bl-a'), line('bl-b'), line('bl-z'))
const closed = line('bl-z', { status: 'closed' })

let kit: PublishKit
beforeEach(async () => {
  kit = await publishKit({ [FILE]: start, '.beads/config.yaml': 'a: 1\n' })
})
afterEach(() => kit.close())

const completed = { end: { state: 'COMPLETED' } }
const project = () => ({ id: projectId, source: kit.remote, baseBranch: 'main' })
const git = (...args: string[]) => kit.kit.git(kit.remote, ...args)
const fileOn = async (branch: string) => `${await git('show', `${branch}:${FILE}`)}\n`
const writeBeads = () =>
  kit.kit.hub.writeTracker(project(), { workBranch, baseBranch: 'main' }, (text) => ({
    text: text.replace(line('bl-z'), closed),
    message: 'Beads: bl-z: closed',
  }))
const warnings = ({ live }: Work) =>
  kit.store.events(live.id, 0, 1000).flatMap(({ type, data }) => (type === 'warning' ? [data] : []))
/** An agent continues in its clone. */
async function agent({ branch }: Work, id: string, change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(kit.kit.root, `work-${id}`)
  await change(folder)
  await kit.kit.git(folder, 'add', '-A')
  await kit.kit.git(folder, 'commit', '-q', '-m', `Bead ${id}: Title`)
  await kit.kit.git(folder, 'push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
  return kit.kit.git(folder, 'rev-parse', 'HEAD')
}

describe('a work branch that moved only by beads needs no new verification', () => {
  test('before the work comes in', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    await writeBeads()
    const { asked, verify } = passing()
    expect(await integrateAndPublish(work.live, work.commit, checkedBy(verify))).toMatchObject(completed)
    expect(asked).toEqual([])
    expect(await fileOn(workBranch)).toBe(start.replace(line('bl-z'), closed))
    expect(await kit.remoteFiles(workBranch)).toContain('one.txt')
  })

  test('between the merge in the hub and the push, even by another server', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    let first = true
    const { hub } = kit.kit
    const live = kit.again(work, {
      publish: async (...args) => {
        if (first) {
          first = false
          await kit.foreign(workBranch, { [FILE]: start.replace(line('bl-z'), closed) })
        }
        return hub.publish(...args)
      },
    })
    const { asked, verify } = passing()
    expect(await integrateAndPublish(live, work.commit, checkedBy(verify))).toMatchObject(completed)
    expect(asked).toEqual([])
    expect(await fileOn(workBranch)).toContain('"closed"')
    expect(await kit.onRemote(work.commit, workBranch)).toBe(true)
  })

  test('while a merge is verified: once is enough', async () => {
    const [one, two] = [await kit.work('bl-a', { 'one.txt': '1' }), await kit.work('bl-b', { 'two.txt': '2' })]
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    const asked: string[] = []
    const result = await integrateAndPublish(
      two.live,
      two.commit,
      checkedBy(async (candidate) => {
        asked.push(candidate)
        if (asked.length === 1) await writeBeads()
        return { passed: true, digest: '' }
      }),
    )
    expect(result).toMatchObject(completed)
    expect(asked).toHaveLength(1)
    const { hub } = kit.kit
    const since = await hub.diff(projectId, asked[0] ?? '', (await hub.tip(projectId, workBranch)) ?? '')
    expect(since.map(({ path }) => path)).toEqual([FILE])
    expect(await fileOn(workBranch)).toContain('"closed"')
    expect(await kit.remoteFiles(workBranch)).toEqual(['.beads', 'a.txt', 'one.txt', 'two.txt'])
  })

  test('but one with other changes is verified', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    await kit.foreign(workBranch, { [FILE]: start.replace(line('bl-z'), closed), 'more.txt': 'm' })
    const { asked, verify } = passing()
    expect(await integrateAndPublish(work.live, work.commit, checkedBy(verify))).toMatchObject(completed)
    expect(asked).toHaveLength(1)
  })
})

describe("an agent's change to the tracker’s file stays off the work branch, and its work goes in:", () => {
  const hostile = start.replaceAll('"open"', '"closed"')
  const publish = async (work: Work, commit: string) => {
    const { asked, verify } = passing()
    expect(await integrateAndPublish(work.live, commit, checkedBy(verify))).toMatchObject(completed)
    return asked
  }

  test('changed lines', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1', [FILE]: hostile, '.beads/config.yaml': 'a: 2\n' })
    expect(await publish(work, work.commit)).toEqual([])
    expect(await fileOn(workBranch)).toBe(start)
    expect(await git('show', `${workBranch}:.beads/config.yaml`)).toBe('a: 2')
    expect(await kit.remoteFiles(workBranch)).toContain('one.txt')
    expect(await fileOn(work.branch)).toBe(hostile)
    expect(warnings(work)).toEqual([{ text: expect.stringContaining(`${work.branch} changes ${FILE}`) }])
  })

  test('changed lines, while beads were written: no conflict', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1', [FILE]: hostile })
    await writeBeads()
    expect(await publish(work, work.commit)).toEqual([])
    expect(await fileOn(workBranch)).toBe(start.replace(line('bl-z'), closed))
    expect(warnings(work)).toHaveLength(1)
  })

  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['the file is deleted', (folder) => rm(join(folder, FILE))],
    [
      'its folder is a file',
      (folder) => rm(join(folder, '.beads'), { recursive: true }).then(() => writeFile(join(folder, '.beads'), 'x')),
    ],
    ['it is a link', (folder) => rm(join(folder, FILE)).then(() => symlink('/etc/passwd', join(folder, FILE)))],
    ['it has another name', (folder) => kit.kit.git(folder, 'mv', FILE, 'stolen.jsonl')],
  ])('%s', async (_, change) => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    const commit = await agent(work, 'bl-a', change)
    await writeBeads()
    await publish(work, commit)
    expect(await fileOn(workBranch)).toBe(start.replace(line('bl-z'), closed))
    expect(await git('ls-tree', workBranch, FILE)).toMatch(/^100644 blob/)
    expect(warnings(work)).toHaveLength(1)
  })

  test('an older file on a branch that waited is no change of the agent’s', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    await writeBeads()
    await publish(work, work.commit)
    expect(warnings(work)).toEqual([])
  })

  test("people's words on the base branch survive an agent that merges it and keeps the old file", async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    await kit.foreign('main', { [FILE]: `${start}${line('bl-zz')}\n` })
    await kit.kit.hub.fetch(project())
    const commit = await agent(work, 'bl-a', async (folder) => {
      await kit.kit.git(folder, 'fetch', '-q', 'origin')
      await kit.kit.git(folder, 'merge', '-q', '-s', 'ours', '-m', 'Base', 'origin/main')
      await writeFile(join(folder, 'two.txt'), '2')
    })
    await publish(
      { ...work, live: kit.again(work, { workTip: () => Promise.reject(new HubError('refused', 'no')) }) },
      commit,
    )
    expect(await fileOn(workBranch)).toBe(`${start}${line('bl-zz')}\n`)
  })

  test("but people's words on the base branch, which the agent has merged, go in", async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    await kit.foreign(workBranch, { 'a.txt': 'work\n' })
    await kit.foreign('main', { 'a.txt': 'main\n', [FILE]: `${start}${line('bl-zz')}\n` })
    await kit.kit.hub.fetch(project())
    const tip = await kit.kit.hub.workTip(project(), workBranch, 'main')
    expect(tip.behind).toContain('a.txt')
    const commit = await agent(work, 'bl-a', async (folder) => {
      await kit.kit.git(folder, 'fetch', '-q', 'origin')
      await kit.kit.git(folder, 'merge', '-q', '-m', 'Base', 'origin/main')
      await kit.kit.git(folder, 'merge', '-q', '-s', 'ours', '-m', 'Work', `origin/${workBranch}`)
      await writeFile(join(folder, FILE), hostile)
    })
    await writeBeads()
    await publish(work, commit)
    expect(await fileOn(workBranch)).toBe(`${start.replace(line('bl-z'), closed)}${line('bl-zz')}\n`)
    expect(warnings(work)).toHaveLength(1)
  })
})

test('a bead’s branch takes the file of the work branch, whatever it has itself', async () => {
  const work = await kit.work('bl-a', { 'one.txt': '1', [FILE]: file(line('bl-z', { title: 'Mine' })) })
  await writeBeads()
  const { hub } = kit.kit
  const { commit } = await hub.workTip(project(), workBranch, 'main')
  expect(await hub.integrate(projectId, work.branch, commit, 'Merge', 'incoming')).toMatchObject({ result: 'merged' })
  const tip = (await hub.tip(projectId, work.branch)) ?? ''
  expect(await hub.readFile(projectId, tip, FILE)).toBe(start.replace(line('bl-z'), closed))
  expect(await hub.readFile(projectId, tip, 'one.txt')).toBe('1')
})
