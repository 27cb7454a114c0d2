import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView, ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { CommandLine } from '../support/command-line.ts'
import { git, writeFiles, type Files } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'

/* Before a bead starts, setup and all checks run once on the commit that beads start from. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const beads = [
  { id: 'b-1', title: 'Write one' },
  { id: 'b-2', title: 'Write two' },
]
/** Names files by bead, so that beads do not conflict. */
const own = "cat > prompt.txt; id=$(grep -o 'b-[0-9]' prompt.txt | head -n 1); mv prompt.txt prompt-$id.txt\n"
const agent = `${own}echo work > work-$id.txt\n`
/** The same agent, which also fixes the base if its bead is for that. */
const mending = `${own}if grep -q 'Fix failing checks' prompt-$id.txt; then echo ok > ok.txt; fi\necho work > work-$id.txt\n`
const checks = (...commands: string[]) => ({
  verify: commands.map((command, at) => ({ type: at === 0 ? 'test' : 'lint', name: `check ${at + 1}`, command })),
})
const filesOf = (config: object, more: Files = {}): Files => ({
  ...shellProject({ agent, config, testsFirst: false }),
  ...more,
})
const add = (id: string, config: object, more: Files = {}) => world.addProject(id, filesOf(config, more), beads)

const proofOf = async (id: string): Promise<ProofView | null> =>
  (await world.get<EnvironmentView>(`/api/projects/${id}/environment`)).proof
const view = (id: string) => world.get<ProjectView>(`/api/projects/${id}`)
const bead = (id: string, name: string) => world.get<BeadView>(`/api/projects/${id}/beads/${name}`)
const beadsOf = async (id: string) => (await world.get<Page<BeadView>>(`/api/projects/${id}/beads`)).items
const waitsBecause = (id: string, name: string, code: string) =>
  world.until(async () => (await bead(id, name)).reason?.code === code)

/** Commits on the remote's base branch, as a person does. */
async function commit(id: string, remote: string, files: Files) {
  const folder = world.newFolder(`clone-${id}-${Object.keys(files).join('-')}`)
  git(folder, 'clone', '--quiet', remote, '.')
  writeFiles(folder, files)
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'Mend')
  git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
}

/** Go's own form of failing tests, beside a package that passes. */
const goTests = (...names: string[]) =>
  `ok  \\texample.org/api\\t0.1s\\n${names.map((name) => `--- FAIL: ${name} (0.00s)\\n    cart_test.go:3: no\\n`).join('')}FAIL\\nFAIL\\texample.org/cart\\t0.1s\\nFAIL\\n`
const failing = (...names: string[]) => `printf '%b' '${goTests(...names)}'; exit 1`

longTest('a base whose checks pass is proved once, and silently', async () => {
  await add('green', checks('true', 'echo checked'))
  const ended = await world.run('green', 'b-1')
  expect(ended).toMatchObject({ state: 'COMPLETED', flags: [] })
  expect(ended.sessions.map(({ kind }) => kind)).toEqual(['work', 'verify'])
  expect(await view('green')).toMatchObject({ problem: null, warnings: [], base: { state: 'green' } })
  const proof = await proofOf('green')
  expect(proof?.checks.map(({ name, passed }) => [name, passed])).toEqual([
    ['check 1', true],
    ['check 2', true],
  ])
  const log = await world.api<string>('GET', '/api/projects/green/environment/log?of=checks').catch(() => null)
  expect(log).toBe(null) // the log is text, not JSON
  // The merged work has been checked already, so the next bead's base needs no proof.
  expect((await world.run('green', 'b-2')).state).toBe('COMPLETED')
  expect((await proofOf('green'))?.commit).not.toBe(proof?.commit)
  expect((await proofOf('green'))?.checks.map(({ durationMs }) => durationMs)).toEqual(
    ended.verifications.map(({ durationMs }) => durationMs),
  )
})

describe('a failure that the base has too', () => {
  test('is reported, and does not count against an agent if failures cannot be told apart', async () => {
    const { remote } = await add('red', checks('true', 'echo "Error: it never passed"; exit 3'))
    const ended = await world.run('red', 'b-1')
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect(ended.flags).toEqual([
      {
        kind: 'base_red',
        text: 'not counted, because it fails on the base too: check 2 (echo "Error: it never passed"; exit 3)',
      },
    ])
    expect(ended.verifications.map(({ name, passed, onBase }) => [name, passed, onBase ?? false])).toEqual([
      ['check 1', true, false],
      ['check 2', true, true],
    ])
    const { base, warnings, problem } = await view('red')
    expect(problem).toBe(null)
    expect(base).toMatchObject({ state: 'red', mendable: true })
    expect(warnings.join(' ')).toContain('1 of 2 checks fails on beadloom/work too: check 2 (echo "Error: it never')
    expect(git(remote, 'show', 'beadloom/work:prompt-b-1.txt')).toContain(
      'This fails on the commit that you start from, before any work of yours:\n- check 2 (echo "Error: it never passed"; exit 3): ',
    )
    // The merged work still fails; that is known without another container.
    expect((await world.run('red', 'b-2')).state).toBe('COMPLETED')
  })

  longTest('stays out of the digest of failures that the work causes', async () => {
    const old = failing('TestOld', 'TestLocale')
    const both = failing('TestOld', 'TestNew', 'TestLocale')
    const script = `if ls work-* > /dev/null 2>&1; then ${both}; else ${old}; fi`
    await add(
      'mixed',
      { ...checks('sh go-test.sh', 'true'), verification: { maxAttempts: 2 } },
      {
        'go-test.sh': `# go test ./...\n${script}\n`,
      },
    )
    const ended = await world.run('mixed', 'b-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
    const [first] = ended.verifications.filter(({ passed }) => !passed)
    expect(first).toMatchObject({ name: 'check 1', failures: 1 })
    expect(first?.digest).toContain('TestNew')
    expect(first?.digest).not.toMatch(/TestOld|TestLocale/)
    expect(ended.detail).toContain('TestNew')
    expect(ended.detail).not.toContain('TestOld')
  })

  longTest('is mended by a bead that a person asks for once, and all checks measure that bead', async () => {
    const files = { ...filesOf(checks('true', 'test -f ok.txt')), 'agent.sh': mending }
    await world.addProject('mended', files, beads)
    expect((await world.run('mended', 'b-1')).flags.map(({ kind }) => kind)).toEqual(['base_red'])
    const { status, body } = await world.api<BeadView>('POST', '/api/projects/mended/environment/mend')
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'Fix failing checks: check 2', labels: ['mends-base'], priority: 1 })
    expect(body.description).toContain('check 2 (test -f ok.txt)')
    const again = await world.api<BeadView>('POST', '/api/projects/mended/environment/mend')
    expect(again.body.id).toBe(body.id)
    expect(await view('mended')).toMatchObject({ base: { bead: body.id } })
    const ended = await world.run('mended', body.id)
    expect(ended).toMatchObject({ state: 'COMPLETED', flags: [] })
    expect((await world.run('mended', 'b-2')).flags).toEqual([])
    expect(await view('mended')).toMatchObject({ base: { state: 'green' }, warnings: [] })
  })
})

longDescribe('nothing of a project starts', () => {
  /** Asserts that nothing has ended, and that no bead was reported. */
  async function nothingStarted(id: string, queued: ExecutionView) {
    expect((await world.execution(queued.id)).state).toBe('QUEUED')
    expect((await beadsOf(id)).map((one) => one.id).sort()).toEqual(['b-1', 'b-2'])
  }

  longTest('while setup fails; it continues by itself when that is mended', async () => {
    const { remote } = await add('setup', { ...checks('true'), setup: 'echo no such package; exit 9' })
    const [one, two] = [await world.queue('setup', 'b-1'), await world.queue('setup', 'b-2')]
    await waitsBecause('setup', 'b-1', 'base_broken')
    const text = 'Setup (echo no such package; exit 9) failed with exit code 9.'
    expect(await view('setup')).toMatchObject({
      problem: `${text} Correct "setup" in beadloom.json, or what it installs.`,
      problemKind: 'base',
      base: { state: 'broken', by: 'setup', mendable: false },
    })
    expect((await bead('setup', 'b-2')).reason).toMatchObject({
      code: 'base_broken',
      text: expect.stringContaining(text),
    })
    expect((await proofOf('setup'))?.checks[0]?.digest).toContain('no such package')
    await nothingStarted('setup', one)
    expect((await world.api('POST', '/api/projects/setup/environment/mend')).status).toBe(409)
    await commit('setup', remote, filesOf({ ...checks('true'), setup: 'true' }))
    expect((await world.ended(one.id)).state).toBe('COMPLETED')
    expect((await world.ended(two.id)).state).toBe('COMPLETED')
    expect(await view('setup')).toMatchObject({ problem: null, base: { state: 'green' } })
  })

  test.each([
    [
      'command',
      checks('no-such-tests .', 'true'),
      'The check check 1 (no-such-tests .) cannot run: no-such-tests is not installed.',
    ],
    ['checks', checks('exit 1', 'exit 2'), 'All 2 checks fail before any work is done: check 1 (exit 1): '],
  ] as const)('while its base is broken by %s', async (by, config, text) => {
    const id = `by-${by}`
    await add(id, config)
    const queued = await world.queue(id, 'b-1')
    await waitsBecause(id, 'b-1', 'base_broken')
    const { problem, base } = await view(id)
    expect(problem).toContain(text)
    expect(base).toMatchObject({ state: 'broken', by, mendable: by === 'checks' })
    await nothingStarted(id, queued)
  })

  longTest('for an unavailable toolchain, which is reported with what to do', async () => {
    await add('no-tool', checks('no-such-dotnet test'), { 'app.csproj': '<TargetFramework>net8.0</TargetFramework>' })
    const queued = await world.queue('no-tool', 'b-1')
    await waitsBecause('no-tool', 'b-1', 'base_broken')
    const { problem } = await view('no-tool')
    expect(problem).toContain('cannot run: no-such-dotnet is not installed.')
    expect(problem).toContain(
      'app.csproj:1 asks for .NET 8.0 or newer, which neither Debian nor a registry that Beadloom knows has: name an "image" (mcr.microsoft.com/dotnet/sdk:8.0)',
    )
    await nothingStarted('no-tool', queued)
  })

  longTest.each([
    ['time', { limits: { executionTimeoutSeconds: 3 } }, 'Setup and checks of the base did not end within 3'],
    ['setup', { limits: { setupTimeoutSeconds: 1 } }, 'Setup (sleep 600) '],
  ] as const)('while it takes longer than it may, by its %s', async (by, config, text) => {
    const id = `late-${by}`
    await add(id, { ...checks('true'), setup: 'sleep 600', ...config })
    const queued = await world.queue(id, 'b-1')
    await waitsBecause(id, 'b-1', 'base_broken')
    const { problem, base } = await view(id)
    expect(problem).toContain(text)
    expect(base).toMatchObject({ state: 'broken', by })
    await nothingStarted(id, queued)
    expect(world.server.store.containers().filter(({ project }) => project === id)).toEqual([])
  })

  longTest('if every check fails, but the bead that makes it green, and then all others', async () => {
    await world.addProject('all-red', { ...filesOf(checks('test -f ok.txt')), 'agent.sh': mending }, beads)
    const queued = await world.queue('all-red', 'b-1')
    await waitsBecause('all-red', 'b-1', 'base_broken')
    const { body } = await world.api<BeadView>('POST', '/api/projects/all-red/environment/mend')
    expect((await world.run('all-red', body.id)).state).toBe('COMPLETED')
    expect((await world.ended(queued.id)).state).toBe('COMPLETED')
  })

  longTest('unless its beads are there to make the checks pass, and it says so', async () => {
    const config = { ...checks('ls work-*.txt'), verification: { proveBase: false } }
    await add('tests-first', config)
    const ended = await world.run('tests-first', 'b-1')
    expect(ended).toMatchObject({ state: 'COMPLETED', flags: [] })
    expect(await proofOf('tests-first')).toMatchObject({ state: 'green', checks: [] })
  })
})

longTest('the command line shows what is known of a base, and asks for possible remedies', async () => {
  await add('told', checks('echo "Error: not today"; exit 4'))
  const environment = (...args: string[]) =>
    new CommandLine(['environment', 'told', ...args, '--data', world.data], { env: { COLUMNS: '200' } }).ended
  expect((await environment()).stdout).toContain('The base has not been proved yet')
  expect((await environment('--prove')).stdout).toContain('The base of told is being proved.')
  await world.until(async () => (await view('told')).base?.state === 'broken')
  const shown = await environment()
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toContain('Nothing starts. The only check fails before any work is done: check 1 (echo ')
  expect(shown.stdout).toContain('--mend creates a bead that fixes it.')
  expect((await environment('--log', 'checks')).stdout).toContain('Error: not today')
  expect((await environment('--mend')).stdout).toMatch(/^b-\w+: Fix failing checks: check 1\n$/)
  expect((await environment()).stdout).toMatch(/b-\w+ was created to fix it\./)
  expect((await environment('--stop')).stderr).toContain('no proof of the base is running')
  expect((await environment('--stop', '--mend')).stderr).toContain('--stop and --mend cannot be combined')
})

longDescribe('a proof', () => {
  longTest('that is stopped keeps the project stopped until a person asks for another', async () => {
    await add('stopped', { ...checks('true'), setup: 'if [ -e /nowhere ]; then true; else sleep 600; fi' })
    const queued = await world.queue('stopped', 'b-1')
    await waitsBecause('stopped', 'b-1', 'base_proving')
    await world.until(async () => (await proofOf('stopped'))?.text === 'running setup')
    expect(await view('stopped')).toMatchObject({ problem: null, base: { state: 'proving' } })
    expect((await world.api('POST', '/api/projects/stopped/environment/stop')).status).toBe(200)
    await waitsBecause('stopped', 'b-1', 'base_broken')
    expect((await view('stopped')).problem).toContain('You stopped the proof of the base')
    expect((await world.api('POST', '/api/projects/stopped/environment/stop')).status).toBe(409)
    expect((await world.execution(queued.id)).state).toBe('QUEUED')
    expect(world.server.store.containers()).toEqual([])
    expect((await world.api('POST', '/api/projects/stopped/environment/prove')).status).toBe(200)
    await waitsBecause('stopped', 'b-1', 'base_proving')
    await world.api('POST', '/api/projects/stopped/environment/stop')
  })

  longTest('that takes its time still lets settings take effect for the next start', async () => {
    const { remote } = await add('moved', { ...checks('true'), setup: 'sleep 3' })
    const queued = await world.queue('moved', 'b-1')
    await waitsBecause('moved', 'b-1', 'base_proving')
    await commit('moved', remote, filesOf({ ...checks('echo of today'), setup: 'true' }))
    const ended = await world.ended(queued.id)
    expect(ended.state).toBe('COMPLETED')
    expect(ended.verifications.map(({ command }) => command)).toEqual(['echo of today'])
    expect((await proofOf('moved'))?.checks.map(({ command }) => command)).toEqual(['echo of today'])
  })

  longTest('of one project keeps no other waiting', async () => {
    await add('slow', { ...checks('true'), setup: 'sleep 600' })
    await add('quick', checks('true'))
    await world.queue('slow', 'b-1')
    expect((await world.run('quick', 'b-1')).state).toBe('COMPLETED')
    await world.api('POST', '/api/projects/slow/environment/stop')
  })
})
