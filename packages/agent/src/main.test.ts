import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SessionOrder, Work } from '@beadloom/core/execution/session-order.ts'
import { readEvents } from './testing/read-events.ts'
import { TestHub } from './testing/test-hub.ts'
import { branch, workBy, workWith } from './testing/session-kit.ts'
import { call, ScriptedModel, type Turn } from './testing/scripted-model.ts'
import { tempFolder } from './testing/temp-folder.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

/*
 * The built files as a container runs them: alone in an empty folder, with nothing but a port to talk to.
 */

let folder: string
let bundle: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-bundle-'))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const args = ['build', 'packages/agent', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  await promisify(execFile)(join(root, 'node_modules/.bin/vite'), args, { cwd: root })
  bundle = join(folder, 'agent.mjs')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listenOn(port: number, order: SessionOrder, hub: TestHub, model: ScriptedModel): Promise<Server> {
  const server = createHttpServer((request, response) => {
    if (request.url === '/session') response.end(JSON.stringify(order))
    else if (request.url?.startsWith('/git/')) hub.answer(request, response)
    else void model.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

async function start(work: Work, model?: ScriptedModel, files: Record<string, string> = { 'README.md': 'hello\n' }) {
  const hub = await TestHub.start()
  const base = await hub.commit('main', files)
  await hub.branch(branch, base)
  const root = await tempFolder()
  const workspace = join(root, 'workspace')
  await mkdir(workspace)
  const port = await freePort()
  const order = {
    session: 'ex-0123456789.1',
    execution: 'ex-0123456789',
    workspace,
    git: {
      url: `http://127.0.0.1:${port}/git/hub.git`,
      branch,
      commit: base,
      author: { name: 'A', email: 'a@example.org' },
    },
    work,
  } as unknown as SessionOrder
  const listen = async () => listenOn(port, order, hub, model ?? (await ScriptedModel.start()))
  const agent = spawn(process.execPath, [bundle], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: root, BEADLOOM_LINK_URL: `http://127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void agent.kill('SIGKILL'))
  return { hub, agent, listen, server: await listen() }
}

/** Parses everything that the process prints. A line that is not an event fails the test. */
function follow(agent: ChildProcess) {
  const chunks: Buffer[] = []
  agent.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(agent, 'close') as Promise<[number | null]>
  const seen = (part: string) => expect.poll(() => Buffer.concat(chunks).includes(part), { timeout: 20_000 }).toBe(true)
  const end = async () => {
    const [code] = await closed
    const events = readEvents(Buffer.concat(chunks))
    return { code, events, result: events.findLast((event) => event.type === 'result') }
  }
  return { end, seen }
}

test('modules that only the built-in agent needs are not loaded for other sessions', async () => {
  expect(await readdir(folder)).toContain('built-in-agent.mjs')
  expect((await stat(bundle)).size).toBeLessThan(200_000)
  const imported = [...(await readFile(bundle, 'utf8')).matchAll(/^import .* from "\.\/(.*)";$/gm)].map(
    ([, name]) => name,
  )
  expect(imported).not.toContain('built-in-agent.mjs')
})

test('a session of the built-in agent needs nothing but the link, from the order to the pushed branch', async () => {
  const model = await ScriptedModel.start(
    { calls: [call('write_file', { path: 'a.txt', content: 'a' })] },
    { text: 'Done.' },
  )
  const work = workWith({
    name: 'openai',
    model: 'scripted',
    maxSteps: 5,
    toolTimeoutMs: 10_000,
    toolOutputLimit: 1000,
  })
  const { hub, agent } = await start(work, model)
  const { code, events, result } = await follow(agent).end()
  expect(code).toBe(0)
  expect(result).toMatchObject({ outcome: 'success', commit: await hub.tip(branch) })
  expect(events.at(-1)).toBe(result)
  expect(await hub.files(branch)).toContain('a.txt')
})

longTest(
  'a session whose context is outgrown four times continues in fresh ones and ends well, over the link alone',
  async () => {
    const window = 20_000
    const outgrown = (at: number): Turn[] => [
      { calls: [call('bash', { command: `echo ${at} >> rounds.txt; yes | head -c ${2 * window}` })] },
      { calls: [call('bash', { command: `: ${at}; yes | head -c ${2 * window}` })] },
      { text: `Round ${at} is done.` },
    ]
    const model = await ScriptedModel.start(...[1, 2, 3, 4].flatMap(outgrown), { text: 'Done.' })
    const limits = { maxSteps: 20, toolTimeoutMs: 10_000, toolOutputLimit: 50_000 }
    const { hub, agent } = await start(workWith({ name: 'openai', model: 'm', ...limits, windowTokens: window }), model)
    const { code, events, result } = await follow(agent).end()
    expect(code).toBe(0)
    expect(result).toMatchObject({ outcome: 'success', commit: await hub.tip(branch) })
    expect(events.flatMap((event) => (event.type === 'handover' ? [event.text] : []))).toEqual(
      [1, 2, 3, 4].map((at) => `Round ${at} is done.`),
    )
    expect(model.asked.at(-1)?.messages).toHaveLength(2)
    expect(await hub.files(branch)).toContain('rounds.txt')
  },
)

test('a session that fails ends with exit code 1', async () => {
  const { agent } = await start({
    kind: 'verify',
    steps: [{ type: 'test', name: 'test', command: 'echo no; exit 9', timeoutMs: 10_000 }],
  })
  expect(await follow(agent).end()).toMatchObject({ code: 1, result: { outcome: 'failed', exitCode: 9 } })
})

test('everything is written before the end, even to a slow reader', async () => {
  const { agent } = await start({
    kind: 'verify',
    steps: [{ type: 'test', name: 'test', command: 'seq 1 400000', timeoutMs: 60_000 }],
  })
  agent.stdout!.pause()
  agent.stdout!.once('readable', () => setTimeout(() => agent.stdout!.resume(), 500))
  const { events, result } = await follow(agent).end()
  const text = events.map((event) => (event.type === 'output' ? event.text : '')).join('')
  expect(text).toMatch(/\n399999\n400000\n$/)
  expect(text.split('\n').filter((line) => /^\d+$/.test(line))).toHaveLength(400_000)
  expect(result).toMatchObject({ outcome: 'success' })
})

test('a server that is restarted while the agent works is found again', async () => {
  const { hub, agent, listen, server } = await start(
    workBy('echo working; touch a; while [ -e wait ]; do sleep 0.05; done; sleep 0.3'),
  )
  const { end, seen } = follow(agent)
  await seen('"type":"message"')
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  await listen()
  expect(await end()).toMatchObject({ code: 0, result: { outcome: 'success' } })
  expect(await hub.files(branch)).toContain('a')
})

test('SIGTERM stops the whole command, and the result is still written', async () => {
  const { agent } = await start(workBy('trap "" TERM; echo working; sleep 1000 & wait; sleep 1000'))
  const { end, seen } = follow(agent)
  await seen('"type":"message"')
  agent.kill('SIGTERM')
  expect(await end()).toMatchObject({ code: 143, result: { outcome: 'failed', text: 'the session was stopped' } })
})
