// @suite fuzz
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { chanceOf } from './chance.ts'
import { askOf, operationsOf, type Asked, type Operation } from './requests.ts'

/** `FUZZ_SEED`: another seed sends other requests. `FUZZ_REQUESTS`: requests for each route. */
const { FUZZ_SEED: seed = '1', FUZZ_REQUESTS: count = '25' } = process.env
/** Longer than any long poll. */
const HANGS_MS = 120_000
/** Reads no more than this many bytes of an endless answer. */
const MOST_READ = 1024 ** 2
const AT_ONCE = 8
const MOST_MEMORY = 512 * 1024 ** 2

const random = chanceOf(Number(seed))
let world: World
let operations: Operation[]
/** Names of existing things, so that not every answer is 404. */
const known: Record<string, string> = {
  project: 'fuzz',
  bead: 'bl-1',
  secret: 'A',
  view: '1',
  webhook: 'a',
  issue: '1',
  block: '0',
}

beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  const agent = `echo made > made.txt\n${commitAndPush('bl-1', 'One')}`
  await world.addProject('fuzz', shellProject({ agent, test: 'test -f made.txt\n' }), [
    { id: 'bl-1', title: 'One' },
    { id: 'bl-2', title: 'Two' },
  ])
  const { id, sessions } = await world.run('fuzz', 'bl-1')
  known['execution'] = id
  known['session'] = sessions[0]?.id ?? ''
  operations = operationsOf(await world.get('/api/openapi.json'))
})
afterAll(() => world.stop())

test('an execution with a session exists, so that the routes below it answer', async () => {
  const { execution = '', session = '' } = known
  const answers = await Promise.all(
    [`/api/executions/${execution}`, `/api/executions/${execution}/events`, `/api/sessions/${session}/log/meta`].map(
      (path) => world.api('GET', path),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('no request makes a route fail, hang, or hold more memory than a server has', async () => {
  expect(operations.length).toBeGreaterThan(50)
  const asked = Array.from({ length: Number(count) }, () => operations).flatMap((all) =>
    all.map((operation) => askOf(operation, known, random)),
  )
  const bad: string[] = []
  const used = process.memoryUsage().heapUsed
  let next = 0
  const ask = async (): Promise<void> => {
    for (let one = asked[next++]; one; one = asked[next++]) {
      const status = await statusOf(one).catch((error: Error) => `no answer (${error.message})`)
      const said = `${one.method} ${one.path.slice(0, 300)} ${JSON.stringify(one.headers).slice(0, 300)} ${one.body?.slice(0, 1_000) ?? ''}`
      if (status === 500 || typeof status === 'string') bad.push(`seed ${seed}: ${status}: ${said}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  expect(bad).toEqual([])
  expect(process.memoryUsage().heapUsed - used).toBeLessThan(MOST_MEMORY)
  // The server still works.
  expect((await world.api('GET', '/api/projects')).status).toBe(200)
})

function statusOf({ method, path, headers, body }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(world.server.url),
      {
        method,
        path,
        headers: { authorization: `Bearer ${world.server.token}`, connection: 'close', ...headers },
        timeout: HANGS_MS,
      },
      (response) => {
        let read = 0
        const { statusCode = 0 } = response
        response.on('data', (bytes: Buffer) => {
          read += bytes.length
          if (read > MOST_READ) response.destroy()
        })
        response.on('close', () => resolve(statusCode))
        response.on('error', () => resolve(statusCode))
        // A live log has no end.
        setTimeout(() => response.destroy(), 5_000).unref()
      },
    )
    asked.on('timeout', () => asked.destroy(new Error(`not within ${HANGS_MS} ms`)))
    asked.on('error', reject)
    asked.end(body)
  })
}
