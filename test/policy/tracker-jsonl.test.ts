// @suite policy-long
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
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

test('a project that could not be read is read again with the next change of its tracker, and is then fine', async () => {
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

test("a person's changes of a bead are written to the file, and somebody else's changes there meanwhile are kept", async () => {
  const { file, lines, found } = await project('edited', 'true\n')
  const path = '/api/projects/edited/beads/tr-1'
  const change = (body: object) => world.api<BeadView>('PATCH', path, body)
  const [, second] = lines()
  const { status, body } = await change({
    title: { was: 'One', to: 'One <b>' },
    acceptance: { was: '', to: 'It works.' },
    priority: { was: found('tr-1').priority, to: 0 },
    labels: { add: ['--force', 'ui'] },
    dependencies: { add: [{ dependsOn: 'tr-2' }] },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ title: 'One <b>', acceptance: 'It works.', priority: 0, labels: ['--force', 'ui'] })
  await world.until(() => found('tr-1').title === 'One <b>')
  expect(found('tr-1')).toMatchObject({
    acceptance_criteria: 'It works.',
    priority: 0,
    labels: ['--force', 'ui'],
    dependencies: [{ depends_on_id: 'tr-2', type: 'blocks', created_by: 'beadloom' }],
  })
  expect(lines()[1]).toBe(second)
  const view = () => world.get<BeadView>(path)
  await world.until(async () => (await view()).edits === undefined)

  // Changed in the file between two of our reads.
  await world.api('POST', '/api/projects/edited/sync')
  expect((await change({ title: { was: 'One', to: 'Two' } })).status).toBe(409)
  writeFileSync(file, readFileSync(file, 'utf8').replace('One \\u003cb\\u003e', 'Theirs'))
  await change({ title: { was: 'One <b>', to: 'Mine' }, type: { was: 'task', to: 'bug' } })
  await world.until(() => found('tr-1').issue_type === 'bug')
  await world.until(async () => (await view()).title === 'Theirs')
  expect(found('tr-1').title).toBe('Theirs')
  const { edits } = await view()
  expect(edits).toEqual([{ field: 'title', value: 'Mine', problem: expect.stringContaining('changed in the tracker') }])
  expect((await change({ dismiss: ['title'] })).body.edits).toBeUndefined()
})

test('an impossible change is refused with the reason, and nothing of it is kept', async () => {
  const { lines } = await project('refused', 'true\n')
  const before = lines()
  const asked = async (bead: string, body: object) => {
    const { status, body: answer } = await world.api<{ error: { message: string } }>(
      'PATCH',
      `/api/projects/refused/beads/${bead}`,
      body,
    )
    return [status, answer.error?.message]
  }
  const edge = (dependsOn: string) => ({ dependencies: { add: [{ dependsOn }] } })
  expect((await asked('tr-2', edge('tr-1')))[0]).toBe(200)
  expect(await asked('tr-1', { title: { was: 'One', to: 'Other' }, ...edge('tr-2') })).toEqual([
    422,
    'tr-1 cannot wait for tr-2, which waits for it: tr-1 → tr-2 → tr-1',
  ])
  expect(await asked('tr-1', edge('tr-1'))).toEqual([422, 'tr-1 cannot depend on itself'])
  expect((await asked('tr-1', edge('nobody')))[1]).toContain('has no bead "nobody"')
  for (const bad of [
    { title: { was: 'One', to: ' ' } },
    { title: { was: 'One', to: 'a\nb' } },
    { description: { was: '', to: 'a\0b' } },
    { labels: { add: ['a,b'] } },
    { labels: { add: [' '] } },
    { priority: { was: 2, to: 5 } },
    { type: { was: 'task', to: 'story' } },
    { description: { was: '', to: 'x'.repeat(50_001) } },
  ])
    expect((await asked('tr-1', bad))[0], JSON.stringify(bad).slice(0, 80)).toBeOneOf([400, 422])
  expect(await asked('tr-9', { title: { was: '', to: 'x' } })).toEqual([404, expect.stringContaining('no bead')])
  expect((await world.get<BeadView>('/api/projects/refused/beads/tr-1')).title).toBe('One')
  expect(lines()[0]).toBe(before[0])
})

test('beads that a person files and renames in the file appear on the board, and a blocked bead has its follow-up there', async () => {
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
