// @suite policy-long
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { KeptContainer, SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* An agent's uncommitted work is in the hub, or in a container that is kept and named. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const hubOf = (project: string) => join(world.data, 'hub', `${project}.git`)
/** The hub's versions of a file, on any ref of the execution. */
function saved(project: string, { id, branch }: ExecutionView, file = 'notes.txt'): string[] {
  const refs = git(
    hubOf(project),
    'for-each-ref',
    '--format=%(refname)',
    `refs/beadloom/${id}/`,
    `refs/heads/${branch}`,
  )
  return refs
    .split('\n')
    .filter(Boolean)
    .flatMap((ref) => {
      const found = git(hubOf(project), 'ls-tree', '--name-only', ref, file)
      return found === '' ? [] : [git(hubOf(project), 'cat-file', 'blob', `${ref}:${file}`)]
    })
}

/** An agent that writes, says so and works on. It is done when it finds its own file again. */
const writing = (more = 'true') =>
  `cat > /dev/null; if [ -e notes.txt ]; then exit 0; fi; printf 'precious\\nodd' > notes.txt; ${more}; echo written; sleep 600\n`
async function started(project: string, agent: string, id = 'un-1'): Promise<ExecutionView> {
  await world.addProject(project, shellProject({ agent, config: { test: 'true' } }), [{ id, title: 'Take notes' }])
  const { id: execution } = await world.queue(project, id)
  await world.until(async () => {
    const now = await world.execution(execution)
    const session = now.sessions.find(({ kind, state }) => kind === 'work' && state === 'running')
    return session !== undefined && (await world.log(session.id)).includes('written')
  })
  return world.execution(execution)
}
const cancel = async ({ id }: ExecutionView) => {
  await world.api('POST', `/api/executions/${id}/cancel`)
  return world.ended(id)
}

async function endsBy(how: 'stop' | 'kill') {
  const execution = await started(`by-${how}`, writing())
  const [container] = await world.containers.of(execution.id, 'work')
  await world.containers[how](container!)
  const ended = await world.ended(execution.id)
  expect(saved(`by-${how}`, ended)).toContain('precious\nodd')
  expect(await world.containers.of(execution.id)).toEqual([])
}
test('when somebody uses kill on its container', () => endsBy('kill'))
test('when somebody uses stop on its container', () => endsBy('stop'))

const toSupervisor = (signal: string) =>
  `grep -l beadloom-supervisor /proc/[0-9]*/cmdline 2> /dev/null | cut -d/ -f3 | grep -vx 1 | while read pid; do kill -${signal} $pid; done`

test('when the supervisor in its container is killed: it continues on its work, and the reason is reported', async () => {
  const ended = await world.ended(
    (await started('unsupervised', writing(`{ (sleep 2; ${toSupervisor('KILL')}) & }`))).id,
  )
  expect(ended.state).toBe('COMPLETED')
  expect(saved('unsupervised', ended)).toContain('precious\nodd')
  const retries = (await world.events(ended.id)).filter(({ type }) => type === 'retry_outside')
  expect(retries).toMatchObject([{ data: { why: expect.stringContaining('supervisor in the container was killed') } }])
})

test('when it has stopped its supervisor (SIGSTOP), which then answers no order, and is cancelled', async () => {
  const execution = await started('stopped', writing(`{ (sleep 2; ${toSupervisor('STOP')}) & }`))
  await world.until(() =>
    /^T.* beadloom-supervisor/m.test(execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' })),
  )
  const ended = await cancel(execution)
  expect(ended.state).toBe('CANCELLED')
  expect(saved('stopped', ended)).toContain('precious\nodd')
})

test('when it has made its supervisor forget every session, and killed it', async () => {
  const forget = `grep -l beadloom-supervisor /proc/[0-9]*/cmdline 2> /dev/null | cut -d/ -f3 | grep -vx 1 | while read pid; do rm -rf /var/lib/beadloom/sessions/*; kill -9 $pid; done`
  const agent = `cat > /dev/null; printf 'precious\\nodd' > notes.txt; echo written; sleep 1; ${forget}; sleep 600\n`
  const execution = await started('forgetful', agent)
  const ended = await world.ended(execution.id)
  expect(ended.state).toBe('FAILED')
  expect(saved('forgetful', ended)).toContain('precious\nodd')
})

test('whatever attributes it has given its files', async () => {
  const attributes = `echo '* working-tree-encoding=UTF-16 filter=swallow' > .gitattributes; git config filter.swallow.clean true; git config filter.swallow.required true`
  const ended = await cancel(await started('attributes', writing(attributes)))
  expect(saved('attributes', ended)).toEqual(['precious\nodd'])
})

test('even if it is only in a stash, and the agent ended well', async () => {
  const agent =
    "cat > /dev/null; printf 'precious\\nodd' > notes.txt; git stash --quiet --include-untracked; echo 1 > a"
  await world.addProject('stash', shellProject({ agent, config: { test: 'true' } }), [{ id: 'un-1', title: 'Stash' }])
  const ended = await world.ended((await world.queue('stash', 'un-1')).id)
  expect(ended.state).toBe('COMPLETED')
  const refs = git(hubOf('stash'), 'for-each-ref', '--format=%(refname)', `refs/beadloom/${ended.id}/`).split('\n')
  const commits = refs.flatMap((ref) => git(hubOf('stash'), 'rev-list', ref).split('\n'))
  expect(commits.some((commit) => git(hubOf('stash'), 'ls-tree', '--name-only', commit).includes('notes.txt'))).toBe(
    true,
  )
  expect(await world.containers.of(ended.id)).toEqual([])
})

test('even if no git works in its container any more', async () => {
  const broken =
    'git config --global core.bigFileThreshold nonsense; git config core.bigFileThreshold nonsense; rm -rf .git/objects'
  const ended = await cancel(await started('broken-git', writing(broken)))
  expect(saved('broken-git', ended)).toEqual(['precious\nodd'])
  expect(await world.containers.of(ended.id)).toEqual([])
})

test('if the hub cannot be written, the container is kept, is named with its age, and is saved when a person asks', async () => {
  const execution = await started('away', writing())
  renameSync(hubOf('away'), `${hubOf('away')}.away`)
  const ended = await cancel(execution)
  expect(ended).toMatchObject({
    state: 'CANCELLED',
    kept: [{ bead: 'un-1', tries: 1, why: expect.stringMatching(/./) }],
  })
  const { items } = await world.get<{ items: KeptContainer[] }>('/api/containers')
  expect(items.filter(({ execution: of }) => of === ended.id)).toEqual(ended.kept)
  const [{ name } = { name: '' }] = ended.kept
  expect((await world.api('DELETE', '/api/projects/away')).status).toBe(409)
  expect((await world.api('POST', `/api/containers/${name}/save`)).status).toBe(409)
  renameSync(`${hubOf('away')}.away`, hubOf('away'))
  const answer = await world.api<SavedContainer>('POST', `/api/containers/${name}/save`)
  expect(answer).toMatchObject({ status: 200, body: { saved: expect.stringContaining(ended.id) } })
  expect(saved('away', ended)).toEqual(['precious\nodd'])
  const now = await world.execution(ended.id)
  expect(now.kept).toEqual([])
  expect(now.detail).toMatch(/^You stopped it\. Its unsaved work is saved on refs\/beadloom\/.* git fetch /)
  expect(await world.containers.of(ended.id)).toEqual([])
})

test('an end says where its work is, and the command that fetches it from there', async () => {
  const fetched = ({ detail }: ExecutionView) => {
    const [, command = 'no command'] =
      /clone on the server's machine: (git fetch .*?), then look at FETCH_HEAD/.exec(detail) ?? []
    const clone = mkdtempSync(join(tmpdir(), 'bl-clone-'))
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
    git(clone, 'init', '--quiet')
    execFileSync('sh', ['-c', command], { cwd: clone, stdio: 'pipe' })
    return git(clone, 'cat-file', 'blob', 'FETCH_HEAD:notes.txt')
  }
  const cancelled = await cancel(await started('told', writing()))
  expect(cancelled.detail).toMatch(/^You stopped it\. Its unsaved work is saved on refs\/beadloom\/ex-/)
  expect(fetched(cancelled)).toBe('precious\nodd')

  const agent = "cat > /dev/null; printf 'precious\\nodd' > notes.txt; exit 4\n"
  await world.addProject('saves-itself', shellProject({ agent, config: { test: 'true', retry: { retryCount: 0 } } }), [
    { id: 'un-1', title: 'Take notes' },
  ])
  const failed = await world.run('saves-itself', 'un-1')
  expect(failed.state).toBe('FAILED')
  expect(fetched(failed)).toBe('precious\nodd')

  await world.addProject(
    'asks',
    shellProject({ agent: agent.replace('exit 4', 'echo BLOCKED: which one?'), config: { test: 'true' } }),
    [{ id: 'un-1', title: 'Take notes' }],
  )
  const blocked = await world.run('asks', 'un-1')
  expect(blocked.state).toBe('BLOCKED')
  expect(fetched(blocked)).toBe('precious\nodd')

  await world.addProject(
    'too-late',
    shellProject({ agent: writing(), config: { test: 'true', limits: { inactivityTimeoutSeconds: 15 } } }),
    [{ id: 'un-1', title: 'Take notes' }],
  )
  const late = await world.run('too-late', 'un-1')
  expect(late).toMatchObject({ state: 'TIMEOUT', reason: 'silence' })
  expect(fetched(late)).toBe('precious\nodd')

  const execution = await started('told-kept', writing())
  renameSync(hubOf('told-kept'), `${hubOf('told-kept')}.away`)
  const kept = await cancel(execution)
  const { name } = kept.kept[0]!
  expect(kept.detail).toContain(`is in the container ${name}, which is kept`)
  expect(kept.detail).toContain(`beadloom containers save ${name}`)
})

test('for stopped work the branch with its commits is named', async () => {
  const execution = await started('committed', writing('git add -A && git commit -qm "Take notes" && git push -q'))
  const { detail, branch } = await cancel(execution)
  expect(detail).toContain(`You stopped it. Its committed work is on branch ${branch}, which is not merged.`)
  expect(detail).toContain(`git fetch ${hubOf('committed')} ${branch}:${branch}`)
  expect(detail).not.toContain('unsaved')
})

test('a person may give up the kept container; then it is gone, and the execution says so', async () => {
  const execution = await started('given-up', writing())
  renameSync(hubOf('given-up'), `${hubOf('given-up')}.away`)
  const { kept, id } = await cancel(execution)
  renameSync(`${hubOf('given-up')}.away`, hubOf('given-up'))
  expect((await world.api('DELETE', `/api/containers/${kept[0]!.name}`)).status).toBe(204)
  expect((await world.api('DELETE', `/api/containers/${kept[0]!.name}`)).status).toBe(404)
  expect(await world.containers.of(id)).toEqual([])
  expect(JSON.stringify(await world.events(id))).toContain('was discarded, with unsaved work')
  expect((await world.execution(id)).detail).toBe(
    `You stopped it. The container ${kept[0]!.name} was discarded, with unsaved work.`,
  )
  expect((await world.api('DELETE', '/api/projects/given-up')).status).toBe(204)
})

test('a container that somebody has removed is reported lost with its contents', async () => {
  const execution = await started('removed', writing())
  await world.containers.remove(...(await world.containers.of(execution.id, 'work')))
  const ended = await world.ended(execution.id)
  expect(JSON.stringify(await world.events(ended.id))).toContain('was removed outside Beadloom')
  expect(ended.detail).toMatch(/What was pushed or saved is kept, and the rest is lost|that is lost/)

  const kept = await started('removed-later', writing())
  renameSync(hubOf('removed-later'), `${hubOf('removed-later')}.away`)
  const { name } = (await cancel(kept)).kept[0]!
  renameSync(`${hubOf('removed-later')}.away`, hubOf('removed-later'))
  await world.containers.remove(...(await world.containers.of(kept.id)))
  const answer = await world.api('POST', `/api/containers/${name}/save`)
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'lost' } } })
  expect((await world.execution(kept.id)).kept).toEqual([])
})

test('a kept container is left alone as long as its execution is at work', async () => {
  const { id } = await started('at-work', writing())
  const database = new Database(join(world.data, 'beadloom.db'))
  const name = database
    .prepare<[string], string>("update container set state = 'kept', why = 'odd' where owner = ? returning name")
    .pluck()
    .get(id)
  database.close()
  expect((await world.api('POST', `/api/containers/${name}/save`)).status).toBe(409)
  const { state, sessions } = await world.execution(id)
  expect([state, ...sessions.filter(({ kind }) => kind === 'work').map((session) => session.state)]).toEqual([
    'RUNNING',
    'running',
  ])
})
