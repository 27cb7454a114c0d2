import { execFile, execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { linkFolderIn } from '@beadloom/server/src/process/link-folder.ts'
import { ledgerProject, ledger } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { residentMegabytes } from '../crash/pulse.ts'
import { sized } from '../crash/size.ts'
import { instanceOf } from '../crash/stored.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim, type VictimOptions } from '../crash/victim.ts'
import { makeRemote } from '../support/repository.ts'

/*
 * Somebody in a container, or without the token, opens every kind of connection. The server lives, stays small, and
 * serves the others.
 */

const victims: Victim[] = []
const closing: (() => void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  for (const victim of victims.splice(0)) await victim.remove()
})
const start = async (options?: VictimOptions) => {
  const victim = await Victim.start(options)
  victims.push(victim)
  return victim
}

/** Calls a model from inside a container: `é` takes two bytes. */
const CALLS = `
const [count, length] = process.argv.slice(1).map(Number)
const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'é'.repeat(length) }] }))
const call = () => new Promise((resolve) => {
  const headers = { 'content-length': body.length }
  const options = { port: 4610, path: '/v1/chat/completions', method: 'POST', agent: false, headers }
  const asking = require('node:http').request(options)
  asking.once('response', (response) => {
    response.on('error', () => resolve('refused')).resume()
    response.once('end', () => resolve(String(response.statusCode)))
  })
  asking.on('error', () => resolve('refused')) // there may be two: the refusal, and what was still being sent
  asking.end(body)
})
Promise.all(Array.from({ length: count }, call)).then((all) => console.log(JSON.stringify(all)))`

/** The socket in the container of this execution: any program in there can do what this test does. */
async function socketOf(victim: Victim, execution: string): Promise<string> {
  const links = await linkFolderIn(victim.data, instanceOf(victim.data))
  return join(
    links,
    readdirSync(links).find((name) => name === `${execution}-work`)!,
    'link.sock',
  )
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Opens `count` connections, as fast as they are accepted, and holds those that the other side does not close. */
async function flood(count: number, open: () => Socket): Promise<{ closed: () => number }> {
  let closed = 0
  let over = 0
  await new Promise<void>((resolve) => {
    for (let n = 0; n < count; n++) {
      const socket = open()
      closing.push(() => socket.destroy())
      const done = () => ++over === count && resolve()
      socket
        .once('connect', done)
        .once('error', done)
        .once('close', () => (closed += 1))
      socket.resume()
    }
  })
  return { closed: () => closed }
}

type AtWork = { id: string; end: (fault: string, times?: number) => Promise<void> }

/** An agent that works until the test has seen enough. Its ledger says each of its lines. */
async function atWork(victim: Victim): Promise<AtWork> {
  await victim.addProject('flood', ledgerProject({ 'f-1': ledger('f-1', 'steady') }))
  const id = await victim.queue('flood', 'f-1')
  await victim.until(id, ({ sessions }) => sessions.some(({ logLines }) => logLines > 5))
  const end = async (fault: string, times = 1) => {
    for (const container of victim.watch.agents(id))
      execFileSync('docker', ['exec', '--detach', container, 'touch', '/tmp/ledger-end'])
    await victim.ended(id)
    await victim.stop()
    const found = nothingLost(victim)
    const { lost, executions } = found
    tallyFound(fault, times, found)
    expect(lost).toEqual([])
    expect(executions.map(({ state }) => state)).toEqual(['COMPLETED'])
  }
  return { id, end }
}

test(`${sized(3000, 8000)} connections to a container's link cost the server next to nothing, and the agent in there works on`, async () => {
  const victim = await start()
  const { id, end } = await atWork(victim)
  const path = await socketOf(victim, id)
  const before = descriptorsOf(victim.pid)
  let most = 0
  for (let round = 0; round < sized(3000, 8000) / 200; round++) {
    await flood(200, () => connect(path))
    most = Math.max(most, descriptorsOf(victim.pid) - before)
    for (const close of closing.splice(0)) close()
  }
  console.info(`${most} descriptors more at most, ${residentMegabytes(victim.pid).toFixed(0)} MB resident`)
  expect(most).toBeLessThan(120)
  await end("thousands of connections to a container's link")
})

test('with 128 files, 80 idle clients without the token and a flooded link, the person with the token is answered and the agent finishes', async () => {
  const victim = await start({ files: 128 })
  const { id, end } = await atWork(victim)
  const path = await socketOf(victim, id)
  const { port } = new URL(victim.url)
  await flood(80, () => connect(Number(port), '127.0.0.1'))
  await flood(300, () => connect(path))
  for (let n = 0; n < 20; n++) await victim.execution(id)
  console.info(`${descriptorsOf(victim.pid)} of 128 descriptors in use under it`)
  for (const close of closing.splice(0)) close()
  await end('idle clients and a flooded link, with 128 files')
})

test('a server that may open no more files says so in sentences, lives, and does everything once it may again', async () => {
  const victim = await start()
  const { id, end } = await atWork(victim)
  const { pid } = victim
  const limit = (files: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:20000`])
  limit(descriptorsOf(pid) + 2) // one for a client, one of the two that a pipe needs
  const source = makeRemote(victim.remoteOf('later'), { 'beadloom.json': '{"techStack":["Shell"]}' })
  const add = () => victim.api('POST', '/api/projects', { source, id: 'later' }).then(() => 'added', String)
  expect(await add()).toMatch(/could not be started: the server may not open more files \(EMFILE\)|fetch failed/)
  for (let n = 0; n < sized(20, 200); n++) await Promise.allSettled([add(), victim.api('GET', '/api/status'), add()])
  limit(20_000)
  await expect.poll(add, { timeout: 60_000 }).toBe('added')
  expect(victim.pid).toBe(pid)
  expect(await victim.execution(id)).toMatchObject({ state: 'RUNNING' })
  await end('the server may open no file more')
})

test(`${sized(50, 100)} calls of 15 MB at once, ${sized(1, 3)} times, leave the server below 512 MB, and the calls after them are answered`, async () => {
  const endpoint = createServer((asked, response) => {
    asked.resume().once('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x' } }], usage: {} }))
    })
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  closing.push(() => endpoint.close())
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  const victim = await start({ env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-none', BEADLOOM_MODEL: 'm' } })
  const { id, end } = await atWork(victim)
  const [container = ''] = victim.watch.agents(id)
  /** Makes `count` calls at once, with a text of `length`, from inside the container; the status of each. */
  const calls = async (count: number, length: number): Promise<string[]> => {
    const node = ['exec', container, '/opt/beadloom/bin/node', '-e', CALLS, String(count), String(length)]
    return JSON.parse((await promisify(execFile)('docker', node)).stdout) as string[]
  }
  let peak = 0
  const watching = setInterval(() => (peak = Math.max(peak, residentMegabytes(victim.pid))), 50)
  closing.push(() => clearInterval(watching))
  for (let round = 0; round < sized(1, 3); round++) {
    const answers = Map.groupBy(await calls(sized(50, 100), 7.5e6), (answer) => answer)
    console.info(`round ${round + 1}: ${[...answers].map(([answer, all]) => `${all.length} × ${answer}`).join(', ')}`)
    // The machine's speed decides how many get their turn before their wait ends.
    expect([...answers.keys()].filter((answer) => !['200', '429', '503', 'refused'].includes(answer))).toEqual([])
    expect(answers.get('200')?.length).toBeGreaterThan(0)
    expect(await calls(2, 7.5e6)).toEqual(['200', '200'])
  }
  console.info(`${peak.toFixed(0)} MB resident at most`)
  expect(peak).toBeLessThan(512)
  expect(await calls(1, 1)).toEqual(['200'])
  clearInterval(watching) // before the server ends
  await end('calls of 15 MB to the gateway, all at once', sized(1, 3))
})
