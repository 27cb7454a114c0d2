// @suite policy-long
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { git, issues, makeRepository, writeFiles } from '../support/repository.ts'
import { shellProject, type ShellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* The story of a bead after each end: on its card, and in the `.beads/issues.jsonl` of the working tree. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

async function project(id: string, files: ShellProject, fields: object = {}) {
  const folder = makeRepository(join(world.folder, id), {
    ...shellProject({ ...files, config: { verification: { maxAttempts: 1 }, ...files.config } }),
    '.beads/issues.jsonl': issues({ id: 'st-1', title: 'One', ...fields }),
  })
  expect((await world.api<ProjectView>('POST', '/api/projects', { source: folder, id })).status).toBe(201)
  const inTracker = (bead: string) =>
    readFileSync(join(folder, '.beads/issues.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((raw) => JSON.parse(raw))
      .find((one) => one.id === bead)
  const card = (bead: string) => world.get<BeadView>(`/api/projects/${id}/beads/${bead}`)
  const listed = async (query: string) =>
    (await world.get<Page<BeadCard>>(`/api/projects/${id}/beads?limit=100&${query}`)).items.map((one) => one.id)
  return { folder, inTracker, card, listed }
}

const commit = 'git add -A && git commit -q -m "Bead st-1: One" && git push -q'
/** Whether the agent's prompt has this note. */
const told = (note: string) => `grep -q '${note}' /tmp/prompt`

test('a bead whose tests failed is in progress for nobody, and failed wherever it is named; once done, it closes its follow-up', async () => {
  const red = await project('red', {
    agent: `cat > /tmp/prompt; if ${told('nothing left')}; then exit 0; fi; if ${told('all of it')}; then echo 2 > two.txt; fi; date +%N > one.txt; ${commit}\n`,
    test: 'test -f two.txt || { echo "Error: not yet"; exit 1; }\n',
  })
  const ended = await world.run('red', 'st-1')
  expect(ended.state, ended.detail).toBe('FAILED')
  expect(await red.card('st-1')).toMatchObject({ status: 'in_progress', failed: true })
  expect(red.inTracker('st-1')).toMatchObject({ status: 'in_progress', labels: ['failed'] })
  expect(red.inTracker('st-1')).not.toHaveProperty('assignee')
  expect(await red.listed('status=failed')).toEqual(['st-1'])
  // Its branch is not on the remote, so the way to fetch it is given wherever the branch is named.
  const { fetch: way = '' } = await world.execution(ended.id)
  execFileSync('sh', ['-c', way], { cwd: red.folder })
  expect(git(red.folder, 'log', '-1', '--format=%s', ended.branch)).toBe('Bead st-1: One')
  expect(red.inTracker('st-1')['comments'][0]['text']).toContain(way)
  const filed = await red.card(ended.followUps[0]?.bead ?? '')
  expect(filed.description).toContain(way)
  expect(filed.dependencies).toMatchObject([{ id: 'st-1', status: 'in_progress', failed: true }])

  const again = await world.run('red', 'st-1', { context: 'all of it' })
  expect(again.state, again.detail).toBe('COMPLETED')
  expect(await red.card('st-1')).not.toHaveProperty('failed')
  expect(red.inTracker('st-1')).toMatchObject({ status: 'closed', assignee: 'beadloom' })
  expect(red.inTracker('st-1')['labels'] ?? []).toEqual([])
  const [followUp = { bead: '' }] = ended.followUps
  expect(red.inTracker(followUp.bead)).toMatchObject({
    status: 'closed',
    close_reason: `closed with st-1 (${again.id})`,
  })

  // An execution of the follow-up finds the work done; it does not fail for lack of a commit.
  await world.api('PATCH', `/api/projects/red/beads/${followUp.bead}`, { status: 'open' })
  const idle = await world.run('red', followUp.bead, { context: 'nothing left' })
  expect(idle.state, idle.detail).toBe('COMPLETED')
})

test('a label "failed" that a person has put on a bead stays theirs, through a failure and to the end', async () => {
  const { card, inTracker } = await project(
    'labelled',
    {
      agent: `cat > /tmp/prompt; if ${told('all of it')}; then echo 2 > two.txt; fi; date +%N > one.txt; ${commit}\n`,
      test: 'test -f two.txt\n',
    },
    { labels: ['failed', 'ui'] },
  )
  expect(await card('st-1')).not.toHaveProperty('failed')
  expect(await world.run('labelled', 'st-1')).toMatchObject({ state: 'FAILED' })
  expect(await card('st-1')).toMatchObject({ status: 'in_progress', failed: true })
  expect(inTracker('st-1')).toMatchObject({ status: 'in_progress', labels: ['failed', 'ui'] })
  expect(await world.run('labelled', 'st-1', { context: 'all of it' })).toMatchObject({ state: 'COMPLETED' })
  expect(inTracker('st-1')).toMatchObject({ status: 'closed', labels: ['failed', 'ui'] })
})

test('a cancelled bead is as it was before: failed, or open, with nobody assigned', async () => {
  const { card, inTracker } = await project('cancelled', {
    agent: `cat > /tmp/prompt; ${told('be quick')} || { echo started; exec sleep 600; }; echo 1 > one.txt; ${commit}\n`,
    test: 'exit 1\n',
  })
  const cancel = async () => {
    const { id } = await world.queue('cancelled', 'st-1')
    await world.printed(id, 'started')
    expect(inTracker('st-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
    expect(inTracker('st-1')['labels'] ?? []).toEqual([])
    expect(await card('st-1')).not.toHaveProperty('failed')
    await world.api('POST', `/api/executions/${id}/cancel`)
    expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
  }
  await cancel()
  expect(await card('st-1')).toMatchObject({ status: 'open' })
  expect(inTracker('st-1')).toMatchObject({ status: 'open' })
  expect(inTracker('st-1')).not.toHaveProperty('assignee')
  expect(await world.run('cancelled', 'st-1', { context: 'be quick' })).toMatchObject({ state: 'FAILED' })
  await cancel()
  expect(await card('st-1')).toMatchObject({ status: 'in_progress', failed: true })
  expect(inTracker('st-1')).toMatchObject({ status: 'in_progress', labels: ['failed'] })
  expect(inTracker('st-1')).not.toHaveProperty('assignee')
})

test('a bead that failed because its setup did is open again, and its follow-up is only a reminder', async () => {
  // The base's setup works. The first execution's work changed a lock file, and the next execution starts from it.
  const { card, inTracker, listed } = await project('unset', {
    agent: `echo no > package-lock.json; echo "$(date +%N)" > one.txt; ${commit}\n`,
    test: 'exit 1\n',
    config: { setup: '! grep no package-lock.json', verification: { maxAttempts: 1 } },
  })
  expect(await world.run('unset', 'st-1')).toMatchObject({ state: 'FAILED', failureKind: 'verification' })
  const ended = await world.run('unset', 'st-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'infra_error', failureKind: 'setup_failed' })
  expect(await card('st-1')).toMatchObject({ status: 'open', ready: true })
  expect(inTracker('st-1')).toMatchObject({ status: 'open' })
  expect(inTracker('st-1')).not.toHaveProperty('assignee')
  const [followUp = { bead: '' }] = ended.followUps
  expect(await card(followUp.bead)).toMatchObject({ reminderOf: 'st-1', ready: false })
  expect(await listed('ready=true')).toContain('st-1')
  expect(await listed('ready=true')).not.toContain(followUp.bead)
})

test('a reminder is no work: the answer closes it, and the next question opens it again', async () => {
  const { card, inTracker, listed } = await project('asks', {
    agent: `cat > /tmp/prompt
if ${told('the key is 7')}; then echo started; until [ -f /tmp/go ]; do sleep 0.1; done; echo 7 > key.txt; ${commit}
else echo "BLOCKED: which key?"; fi\n`,
  })
  const asked = await world.run('asks', 'st-1')
  const [{ bead: reminder } = { bead: '' }] = asked.followUps
  expect(await card(reminder)).toMatchObject({ status: 'open', reminderOf: 'st-1', ready: false })
  expect(await listed('ready=true')).toEqual([])
  const run = await world.api('POST', `/api/projects/asks/beads/${reminder}/executions`, {})
  expect([run.status, JSON.stringify(run.body)]).toEqual([
    409,
    expect.stringContaining('only a reminder; run st-1 instead'),
  ])

  const again = await world.run('asks', 'st-1', { context: 'no idea' })
  expect(again).toMatchObject({ state: 'BLOCKED', followUps: [{ bead: reminder, status: 'open' }] })
  const { id } = await world.queue('asks', 'st-1', { context: 'the key is 7' })
  await world.printed(id, 'started')
  expect(await card(reminder)).toMatchObject({ status: 'done' })
  for (const one of await world.containers.of(id)) await world.containers.write(one, '/tmp/go')
  expect((await world.ended(id)).state).toBe('COMPLETED')
  expect(inTracker(reminder)).toMatchObject({ status: 'closed', close_reason: `closed with st-1 (${id})` })
})

describe('a repository on this machine', () => {
  const agent = `cat > /dev/null; echo 1 > one.txt; ${commit}\n`
  const add = async (id: string, prepare: (folder: string) => void, source = (folder: string) => folder) => {
    const folder = makeRepository(join(world.folder, id), {
      ...shellProject({ agent, config: { baseBranch: 'main' } }),
      '.beads/issues.jsonl': issues({ id: 'st-1', title: 'One' }),
    })
    prepare(folder)
    const { body } = await world.api<ProjectView>('POST', '/api/projects', { source: source(folder), id })
    return { folder, view: body }
  }

  test('whose work branch is checked out says so when it is added, and works once it is not', async () => {
    const { folder, view } = await add('taken', (one) => git(one, 'checkout', '--quiet', '-b', 'beadloom/work'))
    expect(view.problem).toContain(`beadloom/work is checked out in ${folder}`)
    const { id } = await world.queue('taken', 'st-1')
    git(folder, 'checkout', '--quiet', 'main')
    const ended = await world.ended(id)
    expect(ended.state, ended.detail).toBe('COMPLETED')
  })

  test('is searched for working trees beside it', async () => {
    const beside = join(world.folder, 'beside-tree')
    const { view } = await add('beside', (one) => git(one, 'worktree', 'add', '--quiet', '-b', 'beadloom/work', beside))
    expect(view.problem).toContain(`beadloom/work is checked out in ${beside}`)
  })

  test('says before the first execution that its hooks do not run, even as a file:// address', async () => {
    const hook = (folder: string) =>
      writeFileSync(join(folder, '.git/hooks/pre-receive'), '#!/bin/sh\n', { mode: 0o755 })
    for (const [id, source] of [
      ['hooked', (folder: string) => folder],
      ['hooked-url', (folder: string) => `file://${folder}`],
    ] as const)
      expect((await add(id, hook, source)).view).toMatchObject({
        problem: null,
        warnings: [expect.stringContaining('hooks do not run when work is published (pre-receive)')],
      })
    await world.api('POST', '/api/projects/hooked/sync')
    expect((await world.get<ProjectView>('/api/projects/hooked')).warnings).toHaveLength(1)
  })
})

describe('settings that are committed', () => {
  const change = (folder: string, test: string | null) => {
    const file = join(folder, 'beadloom.json')
    const { test: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
    writeFiles(folder, { 'beadloom.json': JSON.stringify(test === null ? rest : { ...rest, test }) })
    git(folder, 'commit', '--quiet', '--all', '--message', 'Settings')
  }
  const agent = `cat > /dev/null; date +%N > one.txt; ${commit}\n`

  test('apply to the very next execution', async () => {
    const { folder } = await project('newest', { agent, config: { test: 'echo OLD; false' } })
    change(folder, 'echo NEW; true')
    const ended = await world.run('newest', 'st-1')
    expect(ended.state, ended.detail).toBe('COMPLETED')
    expect(ended.verifications.map(({ command }) => command)).toEqual(['echo NEW; true'])
  })

  test('start beads that were queued while the settings were wrong', async () => {
    const { folder } = await project('mended', { agent, config: { test: 5 } })
    const { id } = await world.queue('mended', 'st-1')
    await world.until(async () => {
      const { queue } = await world.get<ServerStatus>('/api/status')
      return queue.some(({ execution, reason }) => execution === id && reason?.code === 'project_broken')
    })
    expect((await world.execution(id)).whyQueued?.text).toContain('"test"')
    change(folder, 'true')
    expect((await world.ended(id)).state).toBe('COMPLETED')
  })
})
