import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const sources = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src')

/** Takes every descriptor it can get, starts processes, gives some back, and starts them again. */
const PROGRAM = `
import { openSync, closeSync } from 'node:fs'
const load = (file) => import(${JSON.stringify(sources)} + '/' + file)
const { Git } = await load('hub/git/git.ts')
const { runBd } = await load('beads/bd/run-bd.ts')
const { runCommand } = await load('container/images/run-command.ts')
const { systemClock: clock } = await load('process/clock.ts')
const git = new Git({ binary: 'git', home: '/tmp', searchPath: process.env.PATH, cwd: '/tmp', clock })
const asks = {
  collected: () => git.text({ args: ['version'] }),
  streamed: async () => {
    const started = git.start({ args: ['version'] })
    started.stdin.end()
    started.stdout.resume()
    return (await started.ended).code
  },
  bd: async () => (await runBd({ program: 'true', folder: '/tmp', clock, env: process.env, trusted: false }, { args: [], limitBytes: 9 })).code,
  command: () => runCommand({ program: 'true', args: [], cwd: '/tmp', timeoutMs: 60000 }, clock, () => {}, new AbortController().signal),
}
const answers = {}
const ask = async (when) => {
  for (const [name, work] of Object.entries(asks))
    answers[name + ' ' + when] = await work().then(() => 'works', (error) => error.name + ': ' + error.message)
}
await ask('before')
const taken = []
const take = () => { try { for (;;) taken.push(openSync('/dev/null')) } catch {} }
take()
await ask('without')
closeSync(taken.pop()) // a pipe needs two
await ask('with one')
for (const one of taken.splice(0)) closeSync(one)
await ask('after')
console.log(JSON.stringify(answers))
`

test('a process without a free descriptor is an error of its call, in every part that starts some, and the server lives', async () => {
  const node = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', PROGRAM]
  const { stdout } = await promisify(execFile)('sh', node)
  const none = expect.stringMatching(/could not be started: the server may not open more files \(EMFILE\)/)
  const noneOfBd = expect.stringMatching(/^TrackerError: true cannot be started: the server may not open more files/)
  expect(JSON.parse(stdout)).toEqual({
    'collected before': 'works',
    'streamed before': 'works',
    'bd before': 'works',
    'command before': 'works',
    'collected without': none,
    'streamed without': none,
    'bd without': noneOfBd,
    'command without': none,
    'collected with one': none,
    'streamed with one': none,
    'bd with one': noneOfBd,
    'command with one': none,
    'collected after': 'works',
    'streamed after': 'works',
    'bd after': 'works',
    'command after': 'works',
  })
})
