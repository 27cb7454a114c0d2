// @suite policy-long
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { EngineError } from '@beadloom/server/src/ports/engine.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Failures that a retry policy can name, from the request on: `retryOn` finds each failure by its promised name,
 * and the words of the first example are among them.
 */

let world: World
let model: Server
const asked = new Map<string, number>()

/** The answer to the first call of each project, by its model's name; later calls succeed. */
const troubles: Record<string, (response: ServerResponse) => void> = {
  busy: (response) => void response.writeHead(429, { 'retry-after': '0' }).end('{"error":{"message":"as told"}}'),
  broken: (response) => void response.writeHead(500).end('{"error":{"message":"as told"}}'),
  gone: (response) => void response.destroy(),
  silent: () => {},
  refuses: (response) => void response.writeHead(401).end('{}'),
}
const done = { choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }] }

beforeAll(async () => {
  model = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const name = String((JSON.parse(body) as { model: string }).model)
      asked.set(name, (asked.get(name) ?? 0) + 1)
      const trouble = asked.get(name) === 1 ? troubles[name.split('.')[0] ?? ''] : undefined
      if (trouble) return trouble(response)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'r', object: 'chat.completion', created: 1, model: name, ...done }))
    })
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  world = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1` },
    flags: { slots: '8' },
    modelBounds: { retries: 0, firstByteMs: 1000 },
  })
})
afterAll(async () => {
  await world.stop()
  model.closeAllConnections()
  model.close()
})

/** A command line with one call to its model: it ends as the answer does. */
const asks = `cat > /dev/null
[ -e work.txt ] || { date > work.txt; ${commitAndPush('rt-1', 'Ask')} }
exec curl --silent --show-error --fail --no-buffer --data "{\\"model\\":\\"$BEADLOOM_MODEL\\"}" "$OPENAI_BASE_URL/chat/completions" >&2
`
const once = (deed: string) => `cat > /dev/null
echo run >> .git/runs
[ "$(wc -l < .git/runs)" -gt 1 ] || { ${deed}; }
cp .git/runs runs.txt
${commitAndPush('rt-1', 'Survive')}`

const example = ['rate limit', 'timeout', 'network error']
const run = (project: string, retryOn: string[]) =>
  world.run(project, 'rt-1', { retryCount: 2, retryDelay: 1, retryOn })
const add = (id: string, agent: string, config: object = {}) =>
  world.addProject(id, shellProject({ agent, config }), [{ id: 'rt-1', title: 'Survive' }])

describe.concurrent('a model that gives no answer to the end', () => {
  test.for([
    ['busy', 'rate limit'],
    ['silent', 'timeout'],
    ['gone', 'network error'],
    ['broken', 'network error'],
  ] as const)(
    'that was %s is "%s", and retried as the example of the retry policy says',
    async ([name], { expect }) => {
      await add(`model-${name}`, asks, { model: name })
      const ended = await run(`model-${name}`, example)
      expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1, attempt: 1 })
    },
  )

  test('is not retried if its word is missing', async ({ expect }) => {
    await add('other', asks, { model: 'busy.other' })
    const ended = await run('other', ['timeout', 'network error'])
    expect(ended, ended.detail).toMatchObject({ state: 'FAILED', reason: 'agent_failed', retryAttempt: 0 })
  })

  test('because it refuses the key is not retried: it would refuse it again', async ({ expect }) => {
    await add('model-refuses', asks, { model: 'refuses' })
    expect(await run('model-refuses', [])).toMatchObject({ state: 'FAILED', reason: 'agent_failed', retryAttempt: 0 })
  })
})

describe.concurrent('an agent that is a program', () => {
  test.for([
    ['ends with an error', 'exit 3', 'agent_exited'],
    ['is killed by a signal', 'kill -9 $$', 'agent_killed'],
  ] as const)('and %s is retried in its workspace', async ([, deed, kind], { expect }) => {
    const id = kind.replace('_', '-')
    await add(id, once(deed))
    const ended = await run(id, [kind])
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1, attempt: 1 })
    const patch = await world.get<{ patch: string }>(`/api/executions/${ended.id}/diff?path=runs.txt`)
    expect(patch.patch).toContain('+run\n+run')
  })

  test('and fails each time has used its retries, and says so', async ({ expect }) => {
    await add('always', 'cat > /dev/null; exit 3\n')
    const ended = await run('always', [])
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 2, attempt: 1 })
    expect(ended.detail).toMatch(/^Failed 3 times\. Last error: .*exit code 3/)
  })
})

describe("an engine's own error", () => {
  const baseOf = async (project: string) => (await world.get<ProjectView>(`/api/projects/${project}`)).base?.state
  async function proved(project: string) {
    await world.api('POST', `/api/projects/${project}/environment/prove`)
    await world.until(async () => (await baseOf(project)) === 'green')
  }

  test('while the base is proved proves nothing: the bead starts without a proof', async ({ expect }) => {
    const { host } = world
    if (!host) return
    await add('engine-proof', once('true'))
    host.failsNext.create.push(new EngineError('failed', 'Docker could not create the container: not today'))
    const ended = await run('engine-proof', [])
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
    expect(host.failsNext).toEqual({ create: [], start: [] })
    expect(await baseOf('engine-proof')).toBe(undefined)
  })

  test.for(['create', 'start'] as const)('when it should %s a container is retried', async (call) => {
    const { host } = world
    if (!host) return // on Docker, test/flow/docker-away.test.ts covers this
    const project = `engine-${call}`
    await add(project, once('true'))
    await proved(project) // its containers come first, without a failure
    const error = () => new EngineError('failed', `Docker could not ${call} the container: not today`)
    host.failsNext[call].push(error(), error()) // the first hits the early container, which nobody needs
    const ended = await run(project, ['server error'])
    expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(host.failsNext).toEqual({ create: [], start: [] })
  })
})
