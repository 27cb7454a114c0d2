// @suite policy-long
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError, Page } from '@beadloom/core/api/api.ts'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { git, issues, makeRepository } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Broken repositories, settings and trackers: each gets one clear sentence, and nothing is lost. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const add = (source: string, id?: string) => world.api<ProjectView & ApiError>('POST', '/api/projects', { source, id })
const project = (id: string) => world.get<ProjectView>(`/api/projects/${id}`)
const beads = async (id: string) => (await world.get<Page<BeadCard>>(`/api/projects/${id}/beads?limit=200`)).items
/** The reason of the project's first bead, after a round of the scheduler. */
const reasonOf = async (id: string) => {
  await world.until(async () => Boolean((await beads(id))[0]?.reason))
  return (await beads(id))[0]?.reason
}
const tree = (name: string, files: Record<string, string>) => makeRepository(join(world.folder, name), files)

describe('a repository', () => {
  test('that is missing is refused with its path, and leaves no project behind', async () => {
    const { status, body } = await add('/nowhere/at/all', 'missing')
    expect(status).toBe(422)
    expect(body.error.message).toContain('/nowhere/at/all')
    expect((await world.api('GET', '/api/projects/missing')).status).toBe(404)
  })

  test('that is empty is refused: it has no commit', async () => {
    const folder = world.newFolder('empty')
    git(folder, 'init', '--quiet')
    const { status, body } = await add(folder, 'empty')
    expect(status).toBe(422)
    expect(body.error.code).toBe('repository_empty')
    expect(body.error.message).toMatch(/commit/)
  })

  test('without a default branch is refused with what to do', async () => {
    const folder = tree('headless', { 'a.txt': 'a' })
    git(folder, 'branch', 'one')
    git(folder, 'branch', 'two')
    git(folder, 'checkout', '--quiet', '--detach')
    git(folder, 'branch', '-D', 'main')
    const bare = join(world.folder, 'headless.git')
    git(folder, 'clone', '--quiet', '--bare', '.', bare)
    writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/gone\n')
    const { status, body } = await add(bare, 'headless')
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/default branch/i)
  })

  test('with a detached HEAD is added with the offered branch, and stays on it', async () => {
    const folder = tree('detached', {
      'a.txt': 'a',
      ...shellProject({ agent: `echo b > b.txt\n${commitAndPush('dt-1', 'Add b')}` }),
      '.beads/issues.jsonl': issues({ id: 'dt-1', title: 'Add b' }),
    })
    git(folder, 'branch', '-m', 'trunk')
    git(folder, 'checkout', '--quiet', '-b', 'develop')
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'More')
    git(folder, 'checkout', '--quiet', '--detach', 'trunk')
    const { status, body } = await add(folder, 'detached')
    expect([status, body.error.code]).toEqual([422, 'repository_no_default_branch'])
    expect(body.error.message).toMatch(/--base trunk$/)
    const chosen = { source: folder, id: 'detached', base: 'trunk' }
    expect((await world.api<ProjectView>('POST', '/api/projects', chosen)).status).toBe(201)
    world.host?.prepare('detached')
    expect(await project('detached')).toMatchObject({ baseBranch: 'trunk', problem: null })
    await world.api('POST', '/api/projects/detached/sync', {})
    expect(await project('detached')).toMatchObject({ baseBranch: 'trunk', problem: null })
    expect(git(folder, 'status', '--short')).toBe('')
    expect(await world.run('detached', 'dt-1')).toMatchObject({ state: 'COMPLETED' })
    expect(git(folder, 'show', 'beadloom/work:b.txt')).toBe('b')
  })

  test('whose branch rules out a work branch is added, says so, and starts nothing until it is renamed', async () => {
    const remote = tree('taken', {
      ...shellProject({ agent: 'true' }),
      '.beads/issues.jsonl': issues({ id: 'tk-1', title: 'Anything' }),
    })
    git(remote, 'branch', 'beadloom')
    const { status, body } = await add(remote, 'taken')
    expect(status).toBe(201)
    expect(body.problem).toMatch(/has a branch beadloom, so there can be no beadloom\/work/)
    expect(await reasonOf('taken')).toMatchObject({ code: 'project_broken', text: body.problem })
    git(remote, 'branch', '-m', 'beadloom', 'loom')
    await world.api('POST', '/api/projects/taken/sync', {})
    expect((await project('taken')).problem).toBeNull()
  })

  test('that is a shallow clone is refused as one', async () => {
    const whole = tree('whole', { 'a.txt': 'a' })
    git(whole, 'commit', '--quiet', '--allow-empty', '-m', 'More')
    const shallow = join(world.folder, 'shallow')
    git(whole, 'clone', '--quiet', '--depth=1', `file://${whole}`, shallow)
    const { status, body } = await add(shallow, 'shallow')
    expect([status, body.error.code]).toEqual([422, 'repository_incomplete'])
    expect(body.error.message).toMatch(/fetch --unshallow$/)
  })

  test('given as something git cannot fetch is refused', async () => {
    const { status, body } = await add('not a source', 'nonsense')
    expect(status).toBe(400)
    expect(body.error.message).toContain('not a source')
  })

  test('that was added before is refused with the way out', async () => {
    const folder = tree('known', { 'a.txt': 'a' })
    expect((await add(folder, 'known')).status).toBeLessThan(300)
    const { status, body } = await add(folder, 'known')
    expect(status).toBe(409)
    expect(body.error.message).toMatch(/beadloom sync known .*--id/)
  })

  test('that was added before by another path is refused, and added again only with an id', async () => {
    const folder = tree('one', { 'a.txt': 'a' })
    expect((await add(folder, 'one')).status).toBeLessThan(300)
    const link = join(world.folder, 'other')
    symlinkSync(folder, link)
    for (const source of [link, `${folder}/`, join(folder, '.git'), `file://${link}`]) {
      const { status, body } = await add(source)
      expect([source, status, body.error.code]).toEqual([source, 409, 'exists'])
      expect(body.error.message).toMatch(/^this is the project "one" already \(.*\/one\); beadloom sync one .*--id/)
    }
    expect((await add(link, 'one-again')).status).toBeLessThan(300)
  })
})

describe('beadloom.json', () => {
  test('with unknown keys and wrong types names every problem, shows its beads, and starts nothing', async () => {
    const folder = tree('typos', {
      'beadloom.json': JSON.stringify({ tset: 'npm test', autopilot: 'yes', limits: { cpus: -1, colour: 1 } }),
      '.beads/issues.jsonl': issues({ id: 'ty-1', title: 'Waits' }),
    })
    await add(folder, 'typos')
    const { problem } = await project('typos')
    for (const word of ['tset', 'autopilot', 'limits.cpus', 'limits.colour']) expect(problem).toContain(word)
    expect(await reasonOf('typos')).toMatchObject({ code: 'project_broken' })
  })

  test('with very many wrong keys is reported in part, and shorter on each of its beads than on its page', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}`.padEnd(180, 'k'), 1]))
    const services = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`s${at}`, { image: 'a', ...wrong }]))
    const folder = tree('endless', {
      'beadloom.json': JSON.stringify({ services }),
      '.beads/issues.jsonl': issues({ id: 'en-1', title: 'Waits' }),
    })
    await add(folder, 'endless')
    const { problem } = await project('endless')
    expect(problem).toMatch(/^beadloom.json: unknown keys .*; and \d+ more problems$/)
    expect(problem?.length).toBeLessThan(20_000)
    const reason = await reasonOf('endless')
    expect(reason?.text).toMatch(/^beadloom.json: unknown keys .*… All of it is on the project's page\.$/)
    expect(reason?.text.length).toBeLessThan(600)
  })

  test('that is not JSON is named as such', async () => {
    await add(tree('nojson', { 'beadloom.json': '{,' }), 'nojson')
    expect((await project('nojson')).problem).toContain('not JSON')
  })

  test.each([
    ['link', (path: string) => symlinkSync('cfg.json', path), /on main: it is a symbolic link: .* regular file/],
    ['folder', (path: string) => mkdirSync(path), /on main: it is a folder or a submodule: .* regular file/],
    ['giant', (path: string) => writeFileSync(path, ' '.repeat(262_145)), /262,145 bytes: .* 262,144 .* Shorten it/],
  ])('that is a %s says so and what to do, shows its beads, and starts nothing', async (id, make, says) => {
    const folder = tree(id, {
      'cfg.json': '{"test":"true"}',
      '.beads/issues.jsonl': issues({ id: 'od-1', title: 'Odd' }),
    })
    make(join(folder, 'beadloom.json'))
    if (id === 'folder') writeFileSync(join(folder, 'beadloom.json', 'a.txt'), 'a')
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message', 'Odd')
    await add(folder, id)
    expect((await project(id)).problem).toMatch(says)
    expect(await reasonOf(id)).toMatchObject({ code: 'project_broken' })
  })

  test('that is mended takes effect, and queued beads run', async () => {
    const files = shellProject({ agent: `echo hi > hi.txt\n${commitAndPush('me-1', 'Mended')}` })
    const folder = tree('mended', {
      ...files,
      'beadloom.json': '{"wrong":1}',
      '.beads/issues.jsonl': issues({ id: 'me-1', title: 'Mended' }),
    })
    await add(folder, 'mended')
    const { id } = await world.queue('mended', 'me-1')
    expect((await world.execution(id)).state).toBe('QUEUED')
    writeFileSync(join(folder, 'beadloom.json'), files['beadloom.json'] ?? '')
    git(folder, 'commit', '--quiet', '--all', '--message', 'Mend')
    await world.api('POST', '/api/projects/mended/sync')
    expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  })

  test('that wants a model when none is configured says how to configure one', async () => {
    await add(
      tree('modelless', {
        'beadloom.json': '{"test":"true","techStack":["x"]}',
        '.beads/issues.jsonl': issues({ id: 'mo-1', title: 'x' }),
      }),
      'modelless',
    )
    const reason = await reasonOf('modelless')
    expect(reason).toMatchObject({ code: 'no_model', text: expect.stringContaining('OPENAI_API_KEY') })
  })
})

describe('commands', () => {
  test('stop the project, and no bead of it, if the setup script fails, with its output', async () => {
    await world.addProject(
      'badsetup',
      shellProject({ agent: 'true\n', config: { setup: 'echo "no such registry"; exit 7' } }),
      [{ id: 'bs-1', title: 'x' }],
    )
    const { id } = await world.queue('badsetup', 'bs-1')
    await world.until(async () => (await reasonOf('badsetup'))?.code === 'base_broken')
    const { proof } = await world.get<EnvironmentView>('/api/projects/badsetup/environment')
    expect(proof?.text).toContain('Setup (echo "no such registry"; exit 7) failed with exit code 7.')
    expect(proof?.checks.map(({ digest }) => digest)).toEqual([expect.stringContaining('no such registry')])
    expect(await world.execution(id)).toMatchObject({ state: 'QUEUED', sessions: [], followUps: [] })
    await world.api('POST', `/api/executions/${id}/cancel`)
  })

  test('that do not exist are reported after one attempt: the next would not find them either', async () => {
    await world.addProject(
      'badtest',
      shellProject({
        agent: `echo x > x.txt\n${commitAndPush('bt-1', 'x')}`,
        config: { test: 'no-such-test-runner' },
      }),
      [{ id: 'bt-1', title: 'x' }],
    )
    const ended = await world.run('badtest', 'bt-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_failed', attempt: 1 })
    expect(ended.detail).toMatch(
      /no-such-test-runner does not exist in the container \(no-such-test-runner[\s\S]*not found/,
    )
  })
})

describe('.beads/issues.jsonl', () => {
  test('with broken lines, duplicate ids, unknown statuses, cycles and missing dependencies gives its good beads and a warning for each', async () => {
    const edge = (from: string, to: string) => ({ issue_id: from, depends_on_id: to, type: 'blocks' })
    const lines = [
      issues({ id: 'w-1', title: 'Good' }),
      '{"id": "w-2", "title": \n',
      issues({ id: 'w-3', title: 'First' }, { id: 'w-3', title: 'Again' }),
      issues({ id: 'w-4', title: 'Odd', status: 'marinating' }),
      issues(
        { id: 'w-5', title: 'A', dependencies: [edge('w-5', 'w-6')] },
        { id: 'w-6', title: 'B', dependencies: [edge('w-6', 'w-5')] },
      ),
      issues({ id: 'w-7', title: 'C', dependencies: [edge('w-7', 'w-404')] }),
    ].join('')
    await add(tree('warts', { '.beads/issues.jsonl': lines }), 'warts')
    const { warnings } = await project('warts')
    for (const part of [/line 2/i, /w-3/, /marinating/, /w-5/, /w-404/])
      expect(
        warnings.some((warning) => part.test(warning)),
        String(part),
      ).toBe(true)
    // The broken line's bead is there too, so beads that wait for it keep waiting, but it is not ready.
    expect((await beads('warts')).map(({ id }) => id).sort()).toEqual(['w-1', 'w-2', 'w-3', 'w-4', 'w-5', 'w-6', 'w-7'])
    const ready = (await world.get<Page<BeadCard>>('/api/projects/warts/beads?ready=true')).items
      .map(({ id }) => id)
      .sort()
    expect(ready).toEqual(['w-1', 'w-3'])
  })

  test('with conflict markers is refused as a whole, and the known beads stay', async () => {
    const folder = tree('conflict', { '.beads/issues.jsonl': issues({ id: 'c-1', title: 'Kept' }) })
    await add(folder, 'conflict')
    const text = issues({ id: 'c-1', title: 'Mine' })
    writeFileSync(join(folder, '.beads/issues.jsonl'), `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`)
    await world.api('POST', '/api/projects/conflict/sync')
    expect((await project('conflict')).warnings.join()).toMatch(/conflict/i)
    expect((await beads('conflict')).map(({ title }) => title)).toEqual(['Kept'])
  })

  test('that changes on disk shows on the board without being asked', async () => {
    const folder = tree('watched', { '.beads/issues.jsonl': issues({ id: 'wa-1', title: 'One' }) })
    await add(folder, 'watched')
    mkdirSync(join(folder, '.beads'), { recursive: true })
    writeFileSync(
      join(folder, '.beads/issues.jsonl'),
      issues({ id: 'wa-1', title: 'One' }, { id: 'wa-2', title: 'Two' }),
    )
    await world.until(async () => (await beads('watched')).length === 2)
  })
})

describe('a bead title', () => {
  const titles = {
    'of 500 characters': 'x'.repeat(500),
    'with newlines': 'first line\nsecond line',
    'with markup': '<img src=x onerror=alert(1)> & `rm -rf /` $(id) "quoted"',
    'with emoji': '🚀 ship the 日本語 thing 👩‍👩‍👧',
  }
  for (const [what, title] of Object.entries(titles)) {
    test(`${what} arrives whole and runs on a valid branch`, async () => {
      const id = `t-${Object.values(titles).indexOf(title) + 1}`
      const name = `title-${id}`
      const { remote } = await world.addProject(name, shellProject({ agent: 'echo done > done.txt\n' }), [
        { id, title },
      ])
      expect((await world.get<BeadView>(`/api/projects/${name}/beads/${id}`)).title).toBe(title)
      const ended = await world.run(name, id)
      expect(ended).toMatchObject({ state: 'COMPLETED' })
      expect(git(remote, 'rev-parse', `refs/heads/${ended.branch}`)).toBe(ended.commit)
      expect(git(remote, 'log', '-1', '--format=%s', ended.branch)).toContain(`Bead ${id}: `)
    })
  }
})
