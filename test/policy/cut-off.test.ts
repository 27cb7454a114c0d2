// @suite policy-long
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whatIsMissing } from '../support/process-engine/what-is-missing.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * The engine loses a container that lives on, as on a node that is cut off. Another container does its work, and later
 * pushes of the lost one count for nothing.
 */

/** Pushes all but the last bytes of the newest commit, and those when told to. Writes the result to a file. */
const HALF_PUSH = `import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
const git = (args, input) => execFileSync('git', args, { input })
const words = (...args) => git(args).toString().trim()
const [before, commit, branch] = [words('rev-parse', 'HEAD~1'), words('rev-parse', 'HEAD'), words('branch', '--show-current')]
const line = before + ' ' + commit + ' refs/heads/' + branch + '\\0 report-status'
const head = (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line + '0000'
const pack = git(['pack-objects', '--revs', '--stdout', '-q'], commit + '\\n^' + before + '\\n')
const push = request(words('remote', 'get-url', 'origin') + '/git-receive-pack', {
  method: 'POST',
  headers: { 'content-type': 'application/x-git-receive-pack-request' },
})
let said = ''
push.on('error', (error) => (said += error.message))
push.on('response', (response) => {
  said += response.statusCode + ' '
  response.on('data', (part) => (said += part)).on('error', (error) => (said += error.message))
})
push.on('close', () => writeFileSync('/tmp/said', said, { flag: 'a' }))
push.write(head)
push.write(pack.subarray(0, -10))
const timer = setInterval(() => {
  if (!existsSync('/tmp/go')) return
  clearInterval(timer)
  push.end(pack.subarray(-10))
}, 50)
`

const AGENT = `cat > /dev/null
if test -e part; then
  echo again
  while ! test -e /tmp/go; do sleep 0.05; done
  echo rest > rest
  ${commitAndPush('c-1', 'The rest')}
  exit
fi
echo part > part
${commitAndPush('c-1', 'A part')}
echo late > late
git add late && git commit -q -m 'Too late'
node half-push.mjs &
echo begun
wait
touch /tmp/begins
git push && touch /tmp/pushed
sleep 600
`

const missing = await whatIsMissing()
describe.skipIf(missing !== null || process.env['TEST_ENGINE'] === 'docker')('a node that is cut off', () => {
  let world: World
  beforeAll(async () => {
    world = await World.start({ engine: 'process' })
  })
  afterAll(() => world.stop())

  test('pushes for nobody: neither the rest of a push that had begun, nor anything that it begins later', async () => {
    const config = { retry: { retryCount: 1, retryDelay: 1 } }
    const files = { ...shellProject({ agent: AGENT, config }), 'half-push.mjs': HALF_PUSH }
    await world.addProject('cut', files, [{ id: 'c-1', title: 'A long work' }])
    const hub = join(world.data, 'hub', 'cut.git')
    const subjects = () => git(hub, 'log', '--all', '--format=%s').split('\n')
    const { id } = await world.queue('cut', 'c-1')
    await world.printed(id, 'begun')
    await world.until(() => readdirSync(join(hub, 'objects')).some((name) => name.startsWith('tmp_objdir-incoming')))

    const [container = ''] = await world.containers.of(id, 'work')
    const lost = world.host!.cutOff(container, 'its pod on node1 was not reached for two minutes')
    const second = async () => (await world.execution(id)).sessions.filter(({ kind }) => kind === 'work')[1]
    await world.until(async () => (await world.log((await second())?.id ?? '')).includes('again'))
    expect(lost.state().state).toBe('running')
    lost.write('/tmp/go', '')
    await world.until(() => existsSync(lost.path('/tmp/begins')))
    expect(readFileSync(lost.path('/tmp/said'), 'utf8')).not.toContain('unpack ok')

    const [next = ''] = await world.containers.of(id, 'work')
    await world.containers.write(next, '/tmp/go')
    const end = await world.ended(id)
    expect(end, end.detail ?? '').toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    const whys = (await world.events(id)).flatMap(({ type, data }: EventView) =>
      type === 'retry' ? [(data as { why: string }).why] : [],
    )
    expect(whys).toEqual([expect.stringContaining('its pod on node1 was not reached for two minutes')])
    expect(subjects().filter((subject) => /A part|The rest/.test(subject))).toHaveLength(2)
    expect(subjects()).not.toContain('Too late')
    expect(existsSync(lost.path('/tmp/pushed'))).toBe(false)
  })
})
