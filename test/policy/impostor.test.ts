// @suite policy-long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { textsOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/*
 * The agent runs as its supervisor's user, so it can kill it and speak in its place. Then its words gain it nothing but
 * false claims about its own session.
 */

let world: World
let impostor: string
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  impostor = await bundled('impostor.ts')
})
afterAll(() => world?.stop())

/** Bundles a helper with all its imports into one file. */
async function bundled(name: string): Promise<string> {
  const outDir = world.newFolder('bundle')
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, '..', 'support', 'link', name),
      outDir,
      rolldownOptions: { output: { entryFileNames: 'one.mjs' } },
    },
  })
  return readFileSync(join(outDir, 'one.mjs'), 'utf8')
}

const agent = (work: string): string => `cat > /dev/null\n${work}\n/opt/beadloom/bin/node impostor.mjs\n`

test.each([
  ['of work that nobody did', 'true', 'nothing_committed'],
  ['of work that fails its checks', commitAndPush('i-1', 'Try'), 'verification_exhausted'],
])(
  'an agent that takes its supervisor’s place may claim a good end %s: nothing is believed',
  async (_, work, reason) => {
    const project = `impostor-${reason.replaceAll('_', '-')}`
    const files = shellProject({
      agent: agent(`date > bad.txt\n${work}`),
      test: 'test ! -e bad.txt\n',
      config: { verification: { maxAttempts: 1 } },
    })
    const { remote } = await world.addProject(project, { ...files, 'impostor.mjs': impostor }, [
      { id: 'i-1', title: 'Try' },
    ])
    const ended = await world.run(project, 'i-1')
    const results = (await world.events(ended.id)).filter(({ type }) => type === 'result')
    expect(textsOf(results, 'result')).toContain('the impostor is content')
    expect(ended, ended.detail).toMatchObject({ state: 'FAILED', reason })
    // Apart from the tracker's file, the work branch has nothing of it.
    const changed = git(remote, 'diff', '--name-only', 'main', 'beadloom/work').split('\n').filter(Boolean)
    expect(changed.filter((file) => !file.startsWith('.beads/'))).toEqual([])
    expect(git(remote, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      'refs/heads/beadloom/work',
      'refs/heads/main',
    ])
    expect(await world.containers.of(ended.id)).toEqual([])
  },
)

/** The shell's parent is one of our agent's commands, whose parent is our agent, whose parent is the supervisor. */
const KILL_SUPERVISOR = `kill -KILL $(cut -d' ' -f4 /proc/$(cut -d' ' -f4 /proc/$PPID/stat)/stat)`

test('an agent that kills its supervisor is ended with it, and begins again on its work, but not for ever', async () => {
  const agentThat = (kills: string) => `cat > /dev/null
if [ -e half.txt ]; then ${kills}; fi
echo half > half.txt
${KILL_SUPERVISOR}; exec sleep 600\n`
  const finish = `mv half.txt whole.txt; ${commitAndPush('k-1', 'Kill')}exit`
  const { remote } = await world.addProject('kill', shellProject({ agent: agentThat(finish) }), [
    { id: 'k-1', title: 'Kill' },
  ])
  const again = await world.run('kill', 'k-1')
  expect(again, again.detail).toMatchObject({ state: 'COMPLETED' })
  expect(git(remote, 'show', 'beadloom/work:whole.txt')).toBe('half')
  expect(await world.containers.of(again.id)).toEqual([])

  await world.addProject('kills', shellProject({ agent: agentThat('true') }), [{ id: 'k-2', title: 'Kill always' }])
  const always = await world.run('kills', 'k-2')
  expect(always).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
  expect(always.detail).toMatch(/^Beadloom's supervisor in the container was killed, by the agent or by somebody/)
  expect(always.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(4)
  expect(await world.containers.of(always.id)).toEqual([])
})
