// @suite flow-long
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { inDocker } from '../support/containers.ts'
import { git, issues, makeRemote } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'

/*
 * The server as an image, with the data folder at the same path inside and outside, and in a volume. Its base is the
 * sandboxes' base, which is on every machine that ran the tests; it needs Debian's and npm's registries.
 */
const root = join(import.meta.dirname, '..', '..')
const IMAGE = `beadloom-server-test-${process.pid}`
const NAME = IMAGE
const USER = 1000

/** The rights in `compose.yaml`, so the test proves that they suffice. */
const compose = readFileSync(join(root, 'compose.yaml'), 'utf8')
const listed = (key: string): string[] =>
  [...(new RegExp(`^    ${key}:\\n((?:      - .*\\n)+)`, 'm').exec(compose)?.[1] ?? '').matchAll(/- (\S+)/g)].map(
    ([, value]) => value ?? '',
  )
const rights = [
  ...listed('cap_drop').flatMap((one) => ['--cap-drop', one]),
  ...listed('cap_add').flatMap((one) => ['--cap-add', one]),
  ...listed('security_opt').flatMap((one) => ['--security-opt', one]),
]
const SOCKET = ['--volume', '/var/run/docker.sock:/var/run/docker.sock']

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
const tried = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' })
  return { code: status, said: `${stdout}${stderr}` }
}
/** Runs a command as a user of the machine does. */
const inServer = (...args: string[]): string => docker('exec', NAME, 'beadloom', ...args)

/** A server whose data is in a volume, out of reach for the host. */
const IN_VOLUME = `${NAME}-volume`

let folder: string
let data: string
let base: string
let port: number
const executions: string[] = []

beforeAll(async () => {
  base = docker('images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}').split('\n')[0] ?? ''
  const script = join(root, 'scripts', 'image.mjs')
  execFileSync(process.execPath, [script, '--tag', IMAGE, '--build-arg', `BASE=${base}`], { cwd: root, stdio: 'pipe' })
  folder = mkdtempSync(join(tmpdir(), 'bl-server-image-'))
  data = join(folder, 'data')
  mkdirSync(data)
  for (const name of ['remote.git', 'other.git']) {
    const remote = makeRemote(join(folder, name), {
      '.beads/issues.jsonl': issues({ id: 'w-1', title: 'Write' }, { id: 'w-2', title: 'Wait' }),
      ...shellProject({
        agent: `if grep -q w-2; then echo started; sleep 600; fi\necho done > done.txt\n${commitAndPush('w-1', 'Write')}`,
        test: 'test -e done.txt\n',
        config: { image: base },
      }),
    })
    execFileSync('chown', ['--recursive', `${USER}:${USER}`, remote])
  }
  execFileSync('chmod', ['755', folder])
  port = await freePort()
  docker('run', '--detach', '--name', NAME, ...rights, ...SOCKET, ...onHost(folder), ...asServer(data, port), IMAGE)
  await up()
}, 600_000)

afterAll(async () => {
  for (const one of executions) for (const found of await inDocker.of(one)) await inDocker.remove(found)
  spawnSync('docker', ['rm', '--force', NAME, IN_VOLUME])
  spawnSync('docker', ['volume', 'rm', '--force', IN_VOLUME])
  for (const image of [IMAGE, ...imagesOf('image'), ...imagesOf('volume')]) spawnSync('docker', ['rmi', image])
  rmSync(folder, { recursive: true, force: true })
})

const onHost = (path: string): string[] => ['--volume', `${path}:${path}`]
const asServer = (at: string, listening: number): string[] => [
  // No container is opened ahead: those would be found by the rows of the server, and here by labels.
  ...[`BEADLOOM_DATA=${at}`, 'BEADLOOM_DEMO=false', 'BEADLOOM_WARM=0', `BEADLOOM_PORT=${listening}`].flatMap((one) => [
    '--env',
    one,
  ]),
  '--publish',
  `127.0.0.1:${listening}:${listening}`,
]
const imagesOf = (project: string): string[] =>
  docker('images', '--quiet', `beadloom/project-${project}`).split('\n').filter(Boolean)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

/** Waits until the server itself answers. */
const up = () => vi.waitFor(() => inServer('status', '--json'), { timeout: 60_000, interval: 250 })
const pid = (): number =>
  (JSON.parse(docker('exec', '--user', String(USER), NAME, 'cat', join(data, 'server.json'))) as { pid: number }).pid

test('the server is an ordinary user without capabilities, and the data folder is its own', () => {
  const state = docker('exec', NAME, 'cat', `/proc/${pid()}/status`)
  expect(state).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
  expect(state).toMatch(/^CapEff:\t0+$/m)
  expect(state).toMatch(/^NoNewPrivs:\t1$/m)
  const socket = statSync('/var/run/docker.sock')
  expect(state).toMatch(new RegExp(`^Groups:.*\\b${socket.gid}\\b`, 'm'))
  expect(statSync(data)).toMatchObject({ uid: USER })
  expect(statSync(data).mode & 0o777).toBe(0o700)
})

test('its health check finds it healthy', () => {
  const { Healthcheck } = JSON.parse(docker('inspect', '--format', '{{json .Config}}', IMAGE)) as {
    Healthcheck: { Test: string[] }
  }
  expect(tried('exec', NAME, ...Healthcheck.Test.slice(1))).toEqual({ code: 0, said: '' })
})

test('the published port answers on the machine, and nothing answers on the container’s network', async () => {
  const health = (at: string) => `http://${at}:${port}/healthz`
  expect((await fetch(health('127.0.0.1'))).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/api/status`)).status).toBe(401)
  const own = docker('inspect', '--format', '{{.NetworkSettings.IPAddress}}', NAME)
  const ask = `fetch('${health(own)}').then((answer) => console.log(answer.status), () => console.log('cut off'))`
  // From another container, like a sandbox with the network on.
  expect(docker('run', '--rm', '--entrypoint', 'node', base, '-e', ask)).toBe('cut off')
  // The host comes through the gateway, and by the container's own address, to which no name can be rebound.
  expect((await fetch(health(own))).status).toBe(200)
  expect((await fetch(`http://${own}:${port}/api/status`)).status).toBe(401)
})

test('a bead runs in a sandbox beside it, and its work is published', () => {
  inServer('project', 'add', join(folder, 'remote.git'), '--id', 'image')
  const { code, said } = tried('exec', NAME, 'beadloom', 'run', 'w-1', '--wait')
  expect(said).toContain('COMPLETED')
  expect(code).toBe(0)
  const remote = join(folder, 'remote.git')
  expect(git(remote, '-c', `safe.directory=${remote}`, 'show', 'beadloom/work:done.txt')).toBe('done')
})

test('agents outlive its kill, and the next one reattaches to them', async () => {
  const { id } = JSON.parse(inServer('run', 'w-2', '--json')) as ExecutionView
  executions.push(id)
  await expect.poll(() => tried('exec', NAME, 'beadloom', 'logs', id).said, { timeout: 60_000 }).toContain('started')
  const [agent = ''] = await inDocker.of(id, 'work')
  const before = await inDocker.startOf(agent)
  docker('kill', NAME)
  docker('start', NAME)
  await up()
  expect(await inDocker.startOf(agent)).toBe(before)
  const now = JSON.parse(inServer('status', '--json')) as { running: string[] }
  expect(now.running).toEqual([id])
  inServer('cancel', id)
  expect(tried('exec', NAME, 'beadloom', 'attach', id).code).toBe(13)
})

test('it stops in order, and a container without it has the command line', () => {
  docker('stop', NAME)
  expect(docker('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0')
  expect(docker('run', '--rm', IMAGE, '--version')).toMatch(/^\d+\.\d+\.\d+$/)
})

test('a bead also runs if the data folder is a volume', async () => {
  const volume = ['--volume', `${IN_VOLUME}:/data`]
  const listening = asServer('/data', await freePort())
  docker(
    'run',
    '--detach',
    '--name',
    IN_VOLUME,
    ...rights,
    ...SOCKET,
    ...volume,
    ...onHost(folder),
    ...listening,
    IMAGE,
  )
  const there = ['exec', IN_VOLUME, 'beadloom']
  await vi.waitFor(() => docker(...there, 'status'), { timeout: 60_000, interval: 250 })
  docker(...there, 'project', 'add', join(folder, 'other.git'), '--id', 'volume')
  const { code, said } = tried(...there, 'run', 'w-1', '--wait')
  expect(said).toContain('COMPLETED')
  expect(code).toBe(0)
  docker('stop', IN_VOLUME)
})

describe('it says what to do', () => {
  const run = (...args: string[]) => tried('run', '--rm', ...rights, ...args)

  test('without an engine’s socket', () => {
    expect(run(IMAGE)).toEqual({ code: 1, said: expect.stringContaining('-v /var/run/docker.sock') })
  })

  test('without a place for its data', () => {
    expect(run(...SOCKET, IMAGE)).toEqual({ code: 1, said: expect.stringContaining('-v beadloom:/data') })
  })

  test('about a data folder that belongs to root', () => {
    const theirs = join(folder, 'theirs')
    mkdirSync(theirs)
    writeFileSync(join(theirs, 'beadloom.db'), '')
    const said = run(...SOCKET, ...onHost(theirs), '--env', `BEADLOOM_DATA=${theirs}`, IMAGE)
    expect(said).toEqual({ code: 1, said: expect.stringContaining('chown -R 1000:1000') })
  })

  test('in the machine’s own network, which has other neighbours', () => {
    const said = run('--network', 'host', ...SOCKET, ...onHost(folder), '--env', `BEADLOOM_DATA=${data}`, IMAGE)
    expect(said).toEqual({ code: 1, said: expect.stringContaining('must be a loopback address') })
  })
})
