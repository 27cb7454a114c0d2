// @suite policy-long
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BranchView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { git, workTipOf } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * The last step of good work: into the work branch and to the project's remote, while others publish too and the remote
 * comes and goes.
 */
const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0).toReversed()) await world.stop()
})
const start = async (options: Parameters<typeof World.start>[0] = {}) => {
  const world = await World.start({ engine: 'process', ...options })
  worlds.push(world)
  return world
}

/** Finds its own id, so that one script plays two beads. */
const idOf = `cat > /tmp/prompt; id=$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt | head -1 | cut -c7-)\n`
const until = (condition: string) => `until git fetch -q origin && ${condition}; do sleep 0.2; done\n`
const files = (remote: string, branch: string) => git(remote, 'ls-tree', '--name-only', branch).split('\n')
const holds = (remote: string, branch: string, commit: string) => git(remote, 'rev-list', branch).includes(commit)

/** Pushes to a branch of the remote, as a person with a clone does. Returns the commit. */
function pushAsPerson(world: World, remote: string, branch: string, file: string, text: string): string {
  const folder = world.newFolder(`person-${file}`)
  git(folder, 'clone', '--quiet', remote, '.')
  const known = git(folder, 'branch', '-r', '--list', `origin/${branch}`) !== ''
  git(folder, 'checkout', '--quiet', '-B', branch, known ? `origin/${branch}` : 'origin/main')
  writeFileSync(join(folder, file), text)
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'By a person')
  git(folder, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  return git(folder, 'rev-parse', 'HEAD')
}

describe('a work branch that moved while the agent worked', () => {
  const twoBeads = [
    { id: 'mo-1', title: 'First' },
    { id: 'mo-2', title: 'Second' },
  ]
  /** The second bead ends only when the first one is in the work branch. */
  const secondWaits = `${idOf}test "$id" = mo-1 || { ${until('git cat-file -e origin/beadloom/work:mo-1.txt').trim()}; }\n`

  test('is merged and verified again before it is published', async () => {
    const world = await start()
    const agent = `${secondWaits}touch $id.txt; ${commitAndPush('$id', 'x')}`
    // Otherwise the first one's end could be written to the tracker in between, and that is not verified again.
    const config = { tracker: { write: false } }
    const { remote } = await world.addProject('moved', shellProject({ agent, config }), twoBeads)
    const queued = [await world.queue('moved', 'mo-1'), await world.queue('moved', 'mo-2')]
    const [first, second] = await Promise.all(queued.map(({ id }) => world.ended(id)))
    expect([first?.state, second?.state]).toEqual(['COMPLETED', 'COMPLETED'])
    const tip = git(remote, 'rev-parse', 'beadloom/work')
    expect(tip).not.toBe(second?.commit)
    const verified = second?.verifications.map(({ purpose, commit, passed }) => [purpose, commit, passed])
    expect(verified).toEqual([
      ['attempt', second?.commit, true],
      ['merge', tip, true],
    ])
    expect(first?.verifications.map(({ purpose }) => purpose)).toEqual(['attempt'])
    expect(files(remote, 'beadloom/work')).toEqual(expect.arrayContaining(['mo-1.txt', 'mo-2.txt']))
  })

  test('and is good alone, but not together with the work: nothing is published, the next attempt makes both pass', async () => {
    const world = await start()
    const agent = `${secondWaits}if grep -q 'PREVIOUS ATTEMPT 1 FAILED' /tmp/prompt; then
  grep -q 'both of them' /tmp/prompt && git pull -q && git mv mo-2.txt third.txt
else
  touch $id.txt
fi
${commitAndPush('$id', 'x')}`
    const both = 'if test -f mo-1.txt && test -f mo-2.txt; then echo "Error: both of them"; exit 1; fi\n'
    const { remote } = await world.addProject('together', shellProject({ agent, test: both }), twoBeads)
    const queued = [await world.queue('together', 'mo-1'), await world.queue('together', 'mo-2')]
    const [first, second] = await Promise.all(queued.map(({ id }) => world.ended(id)))
    expect(first).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect(second).toMatchObject({ state: 'COMPLETED', attempt: 2 })
    const failed = second?.verifications.filter(({ passed }) => !passed).map(({ purpose }) => purpose)
    expect(new Set(failed)).toEqual(new Set(['merge']))
    // The failed merge is part of the history, but the work branch was never there.
    const stood = [...(await world.events(first!.id)), ...(await world.events(second!.id))]
      .filter(({ type }) => type === 'integrated')
      .map(({ data }) => files(remote, (data as { commit: string }).commit))
    expect(stood).toHaveLength(2)
    for (const there of stood) expect(there.includes('mo-1.txt') && there.includes('mo-2.txt')).toBe(false)
    expect(files(remote, 'beadloom/work')).toEqual(expect.arrayContaining(['mo-1.txt', 'third.txt']))
  })
})

describe("a person's commit that arrives on the remote while the agent works", () => {
  const agent = `cat > /dev/null; echo ours > ours.txt; echo at work\n${until('git cat-file -e origin/go')}${commitAndPush('fo-1', 'x')}`
  const beads = [{ id: 'fo-1', title: 'Foreign' }]
  /** Makes the branch in the hub for which the agent waits. */
  const letGo = (world: World, project: string) => {
    const hub = join(world.data, 'hub', `${project}.git`)
    git(hub, '--git-dir', hub, 'update-ref', 'refs/heads/go', 'refs/heads/main')
  }

  test('is never lost: neither on the work branch nor on the branch of the bead', async () => {
    const world = await start()
    const { remote } = await world.addProject('foreign', shellProject({ agent }), beads)
    const { id, branch } = await world.queue('foreign', 'fo-1')
    await world.printed(id, 'at work')
    const onWork = pushAsPerson(world, remote, 'beadloom/work', 'work.txt', 'theirs')
    const onOwn = pushAsPerson(world, remote, branch, 'own.txt', 'theirs')
    letGo(world, 'foreign')
    expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
    expect(holds(remote, 'beadloom/work', onWork)).toBe(true)
    expect(holds(remote, branch, onOwn)).toBe(true)
    expect(files(remote, 'beadloom/work')).toEqual(expect.arrayContaining(['ours.txt', 'own.txt', 'work.txt']))
  })

  test('by force, replacing another one, is reported with the commits that the work branch still has of that', async () => {
    const world = await start()
    const { remote } = await world.addProject('forced', shellProject({ agent }), beads)
    pushAsPerson(world, remote, 'main', 'secret.txt', 'theirs')
    const { id } = await world.queue('forced', 'fo-1')
    await world.printed(id, 'at work')
    const folder = join(world.folder, 'person-secret.txt')
    git(folder, 'rm', '--quiet', 'secret.txt')
    git(folder, 'commit', '--quiet', '--amend', '--allow-empty', '--message', 'Without it')
    git(folder, 'push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/main')
    letGo(world, 'forced')
    expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
    const { body } = await world.api<ProjectView>('POST', '/api/projects/forced/sync')
    expect(body.warnings).toEqual([
      expect.stringMatching(
        /^main was rewritten by a forced push, in place of [0-9a-f]{10}\. beadloom\/work still has 1 commit of what it was/,
      ),
    ])
  })

  test('or deletes the work branch there: it is reported, and the branch is made again with all its commits', async () => {
    const world = await start()
    const two = [...beads, { id: 'fo-2', title: 'Deleted' }]
    const waits = `${idOf}echo ours > $id.txt; echo at work\n`
    const go = `test $id = fo-1 || { ${until('git cat-file -e origin/go').trim()}; }\n${commitAndPush('$id', 'x')}`
    const { remote } = await world.addProject('deleted', shellProject({ agent: `${waits}${go}` }), two)
    expect(await world.run('deleted', 'fo-1')).toMatchObject({ state: 'COMPLETED' })
    const { id } = await world.queue('deleted', 'fo-2')
    await world.printed(id, 'at work')
    git(remote, 'update-ref', '-d', 'refs/heads/beadloom/work')
    const told = expect.stringMatching(
      /^beadloom\/work was deleted or rewritten on the remote, where \d+ commits? of it (is|are) missing/,
    )
    const { body } = await world.api<ProjectView>('POST', '/api/projects/deleted/sync')
    expect(body.warnings).toEqual([told])
    letGo(world, 'deleted')
    expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
    expect(files(remote, 'beadloom/work')).toEqual(expect.arrayContaining(['fo-1.txt', 'fo-2.txt']))
    const events = await world.events(id)
    expect(events.filter(({ type }) => type === 'warning')).toEqual([expect.objectContaining({ data: { text: told } })])
    const after = await world.api<ProjectView>('POST', '/api/projects/deleted/sync')
    expect(after.body.warnings).toEqual([])
  })

  test('and conflicts ends as push_conflict if the agent joins nothing, with the files and both commits on record', async () => {
    const world = await start()
    const joinsNothing = agent.replace(
      'cat > /dev/null;',
      "cat > /tmp/prompt; grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt && exit 0;",
    )
    const { remote } = await world.addProject('clash', shellProject({ agent: joinsNothing }), beads)
    const { id } = await world.queue('clash', 'fo-1')
    await world.printed(id, 'at work')
    const theirs = pushAsPerson(world, remote, 'beadloom/work', 'ours.txt', 'theirs')
    letGo(world, 'clash')
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'push_conflict' })
    expect(ended.detail).toContain('ours.txt')
    const conflict = (await world.events(id)).find(({ type }) => type === 'push_conflict')
    expect(conflict?.data).toMatchObject({ files: ['ours.txt'], ours: theirs, theirs: ended.commit })
    const made = await world.get<BranchView>(`/api/executions/${id}/commits`)
    expect(made).toMatchObject({ to: ended.commit, more: false, conflict: { with: 'beadloom/work' } })
    expect(made.conflict?.files).toEqual(['ours.txt'])
    expect(made.commits.map(({ commit, parent }) => [commit, parent])).toEqual([[made.to, made.from]])
    expect(workTipOf(remote)).toBe(theirs)
    expect(await world.get(`/api/projects/clash/beads/fo-1`)).toMatchObject({ status: 'in_progress' })
  })
})

describe('a remote that is away when the work is verified', () => {
  const agent = `cat > /dev/null; echo hi > hi.txt; echo at work; sleep 1; ${commitAndPush('aw-1', 'x')}`
  const pending = async (world: World, id: string) =>
    world.until(async () => (await world.execution(id)).waits?.kind === 'push')

  test('is waited for without a slot, visibly, and gets everything when it is back', async () => {
    const world = await start({ flags: { slots: '1' } })
    const { remote } = await world.addProject('away', shellProject({ agent }), [{ id: 'aw-1', title: 'Away' }])
    await world.addProject('other', shellProject({ agent: `touch x; ${commitAndPush('ot-1', 'x')}` }), [
      { id: 'ot-1', title: 'Other' },
    ])
    const { id } = await world.queue('away', 'aw-1')
    await world.printed(id, 'at work')
    renameSync(remote, `${remote}.gone`)
    await pending(world, id)
    expect(await world.execution(id)).toMatchObject({
      state: 'RUNNING',
      waits: { kind: 'push', tries: expect.any(Number), why: expect.stringContaining('no folder') },
    })
    expect(await world.run('other', 'ot-1')).toMatchObject({ state: 'COMPLETED' })
    const status = await world.get<ServerStatus>('/api/status')
    expect(status).toMatchObject({ slots: { used: 0 }, running: [id] })
    renameSync(`${remote}.gone`, remote)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'COMPLETED', waits: null })
    expect(workTipOf(remote)).toBe(ended.commit)
    expect((await world.events(id)).filter(({ type }) => type === 'push_pending').length).toBeGreaterThan(0)
  })

  test('is awaited across a restart of the server, without a new session', async () => {
    const world = await start()
    const { remote } = await world.addProject('restart', shellProject({ agent }), [{ id: 'aw-1', title: 'Away' }])
    const { id } = await world.queue('restart', 'aw-1')
    await world.printed(id, 'at work')
    renameSync(remote, `${remote}.gone`)
    await pending(world, id)
    await world.server.stop()
    const again = await start({ data: world.data, host: world.host })
    await pending(again, id)
    const sessions = (await again.execution(id)).sessions.length
    renameSync(`${remote}.gone`, remote)
    const ended = await again.ended(id)
    expect(ended).toMatchObject({ state: 'COMPLETED' })
    expect(ended.sessions).toHaveLength(sessions)
    expect(workTipOf(remote)).toBe(ended.commit)
  })

  test('can be cancelled, and the sentence says where the work is', async () => {
    const world = await start()
    const { remote } = await world.addProject('cancel', shellProject({ agent }), [{ id: 'aw-1', title: 'Away' }])
    const { id } = await world.queue('cancel', 'aw-1')
    await world.printed(id, 'at work')
    renameSync(remote, `${remote}.gone`)
    await pending(world, id)
    await world.api('POST', `/api/executions/${id}/cancel`)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'CANCELLED', waits: null })
    expect(ended.detail).toContain('beadloom/work in the hub')
    renameSync(`${remote}.gone`, remote)
  })

  test('and was given up before the publishing, whatever its agent called it, gets it from the next execution: it is not nothing', async () => {
    const world = await start()
    const named = `test -f hi.txt || { echo hi > hi.txt; echo at work; sleep 1; git add -A; git commit -qm fix; git push -q; }\n`
    const { remote } = await world.addProject('given-up', shellProject({ agent: `cat > /dev/null; ${named}` }), [
      { id: 'aw-1', title: 'Away' },
    ])
    const { id } = await world.queue('given-up', 'aw-1')
    await world.printed(id, 'at work')
    renameSync(remote, `${remote}.gone`)
    await pending(world, id)
    await world.api('POST', `/api/executions/${id}/cancel`)
    await world.ended(id)
    renameSync(`${remote}.gone`, remote)
    expect(await world.run('given-up', 'aw-1')).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect(git(remote, 'show', 'beadloom/work:hi.txt')).toBe('hi')
    expect(git(remote, 'log', '--format=%s', 'main..beadloom/work').split('\n')).toContain('fix')
  })
})
