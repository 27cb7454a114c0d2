import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard, Page, ProjectView } from '@beadloom/core/api/api.ts'
import type { SyncView } from '@beadloom/core/api/sync-api.ts'
import { git, issues, makeRepository, writeFiles } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Whole executions on a project whose beads are in the `.beads/issues.jsonl` of a working tree. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

async function project(id: string, agent: string) {
  const folder = makeRepository(join(world.folder, id), {
    ...shellProject({ agent, config: { autopilot: false } }),
    '.beads/issues.jsonl': issues({ id: 'tr-1', title: 'One' }, { id: 'tr-2', title: 'Two' }),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source: folder, id })
  expect(status).toBe(201)
  const file = join(folder, '.beads/issues.jsonl')
  const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n')
  const found = (bead: string) =>
    lines()
      .map((raw) => JSON.parse(raw))
      .find((one) => one.id === bead)
  return { file, lines, found }
}

test('a bead’s status and the end of its execution are in the file when the pipeline is over', async () => {
  const agent = `echo done > done.txt\n${commitAndPush('tr-1', 'One')}`
  const { lines, found } = await project('written', agent)
  const [, second] = lines()
  const view = await world.get<ProjectView>('/api/projects/written')
  expect(view.tracker).toMatchObject({ kind: 'jsonl', writable: true, waiting: 0, problem: '' })
  const ended = await world.run('written', 'tr-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(found('tr-1')).toMatchObject({
    status: 'closed',
    assignee: 'beadloom',
    close_reason: `done in Beadloom (${ended.id})`,
    comments: [{ author: 'beadloom', text: expect.stringContaining(`${world.server.url}/p/written/b/tr-1`) }],
  })
  expect(lines()).toHaveLength(2)
  expect(lines()[1]).toBe(second)
})

test('a project that could not be read is read again with the next change of its tracker, and is then well', async () => {
  const { file } = await project('healed', 'true\n')
  const folder = join(world.folder, 'healed')
  const config = JSON.parse(readFileSync(join(folder, 'beadloom.json'), 'utf8'))
  writeFiles(folder, { 'beadloom.json': JSON.stringify({ ...config, baseBranch: 'release' }) })
  git(folder, 'commit', '--quiet', '--all', '--message', 'Another base branch')
  await world.api('POST', '/api/projects/healed/sync')
  const view = () => world.get<ProjectView>('/api/projects/healed')
  expect(await view()).toMatchObject({ problemKind: 'repository' })
  git(folder, 'branch', 'release')
  appendFileSync(file, issues({ id: 'tr-3', title: 'Three' }))
  const lastSync = async () => (await world.get<SyncView>('/api/projects/healed/sync')).runs[0]
  await world.until(async () => (await lastSync())?.problem === null)
  expect(await view()).toMatchObject({ problem: null })
})

test('what a person files and renames in the file is on the board by itself, and a blocked bead has its follow-up there', async () => {
  const { file, lines, found } = await project('followed', 'echo "BLOCKED: no key"\n')
  appendFileSync(file, issues({ id: 'tr-3', title: 'Three' }))
  const cards = async () => (await world.get<Page<BeadCard>>('/api/projects/followed/beads?limit=100')).items
  await world.until(async () => (await cards()).some(({ id }) => id === 'tr-3'))
  writeFileSync(file, readFileSync(file, 'utf8').replace('"title":"Two"', '"title":"Two, renamed"'))
  await world.until(async () => (await cards()).some(({ title }) => title === 'Two, renamed'))
  const ended = await world.run('followed', 'tr-1')
  expect(ended.state).toBe('BLOCKED')
  expect(found('tr-1')).toMatchObject({ status: 'blocked', comments: [{ text: expect.stringContaining('no key') }] })
  const [followUp] = ended.followUps
  expect(found(followUp?.bead ?? '')).toMatchObject({
    status: 'open',
    labels: expect.arrayContaining(['needs-human']),
    dependencies: [{ depends_on_id: 'tr-1', type: 'discovered-from' }],
  })
  expect(lines()).toHaveLength(4)
})
