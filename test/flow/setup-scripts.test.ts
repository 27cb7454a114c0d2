import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/*
 * The scripts behind `npm start` and `npm test`, from outside: their words when something is missing, and what they
 * leave behind when they are stopped.
 */
const scripts = join(import.meta.dirname, '..', '..', 'scripts')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-scripts-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Options = { env?: Record<string, string>; uid?: number }

function script(text: string, { env = {}, uid }: Options = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    uid,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }))
  return { child, ended, said: () => said }
}

const withDocker = (then: string) => `
  import { main } from ${JSON.stringify(join(scripts, 'run.mjs'))}
  import { ensureDocker } from ${JSON.stringify(join(scripts, 'docker-engine.mjs'))}
  await main(async () => { await ensureDocker(); ${then} })`
const withRun = (then: string) =>
  `import { main, run } from ${JSON.stringify(join(scripts, 'run.mjs'))}\nawait main(async () => { ${then} })`

describe('a Docker engine', () => {
  const ready = withDocker("console.log('ready')")

  test('that answers is used, wherever DOCKER_HOST points', async () => {
    const engine = createServer((_, response) => response.end('OK'))
    const socket = join(folder, 'engine.sock')
    engine.listen(socket)
    await once(engine, 'listening')
    for (const address of [`unix://${socket}`, socket]) {
      expect(await script(ready, { env: { DOCKER_HOST: address } }).ended).toEqual({ code: 0, said: 'ready\n' })
    }
    engine.close()
  })

  test.each([
    ['tcp://127.0.0.1:1', 'No Docker engine answers at DOCKER_HOST=tcp://127.0.0.1:1'],
    ['/nowhere.sock', 'No Docker engine answers at DOCKER_HOST=/nowhere.sock'],
    ['nonsense://', 'set unix:///path/to/docker.sock, tcp://host:port or ssh://user@host'],
  ])('that DOCKER_HOST=%s does not reach stops the start with advice', async (address, message) => {
    const { code, said } = await script(ready, { env: { DOCKER_HOST: address } }).ended
    expect(code).toBe(1)
    expect(said).toContain(message)
    expect(said).toContain('unset')
    expect(said).not.toMatch(/^ +at /m)
  })

  test('of a docker context is used, and one that does not answer stops the start', async () => {
    const engine = createServer((_, response) => {
      response.writeHead(200, { 'Api-Version': '1.41', 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ NCPU: 2, MemTotal: 2 ** 33, ServerVersion: '99', ApiVersion: '1.41' }))
    })
    const socket = join(folder, 'context.sock')
    engine.listen(socket)
    await once(engine, 'listening')
    const settings = join(folder, 'docker-settings')
    const meta = join(settings, 'contexts', 'meta', createHash('sha256').update('mine').digest('hex'))
    mkdirSync(meta, { recursive: true })
    writeFileSync(join(settings, 'config.json'), '{"currentContext":"mine"}')
    writeFileSync(join(meta, 'meta.json'), JSON.stringify({ Endpoints: { docker: { Host: `unix://${socket}` } } }))
    const env = { DOCKER_CONFIG: settings, HOME: folder }
    expect(await script(ready, { env }).ended).toEqual({ code: 0, said: 'ready\n' })
    engine.closeAllConnections()
    engine.close()
    const { code, said } = await script(ready, { env }).ended
    expect(code).toBe(1)
    expect(said).toMatch(
      /Docker does not answer at .*context\.sock .*the current docker context is mine.*docker context use/,
    )
  })

  test('that only others may use is named with the commands that change that', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can be somebody else')
    const { code, said } = await script(ready, { uid: 65_534 }).ended
    expect(code).toBe(1)
    expect(said).toContain('sudo usermod -aG docker "$USER"')
    expect(said).toContain('newgrp docker')
  })
})

describe('a command of the set-up', () => {
  test('that fails shows its output, and what to do', async () => {
    const { code, said } = await script(
      withRun(
        `await run('sh', ['-c', 'echo out; echo err >&2; exit 7'], { quiet: true, why: 'trying', fix: 'Do this.' })`,
      ),
    ).ended
    expect(code).toBe(1)
    expect(said).toContain('out\n')
    expect(said).toContain('err\n')
    expect(said).toContain('trying failed (exit code 7).\nDo this.')
  })

  test('that cannot be found is named', async () => {
    expect(await script(withRun(`await run('no-such-command', [])`)).ended).toMatchObject({
      code: 1,
      said: expect.stringContaining('no-such-command could not be started'),
    })
  })

  test('ends with everything it started when we are told to stop', async () => {
    const inner = join(folder, 'inner.sh')
    writeFileSync(inner, '#!/bin/sh\nsleep 600 &\necho "sleeping as $!" > "$1"\nwait\n', { mode: 0o755 })
    const note = join(folder, 'note')
    const { child, ended } = script(
      `${withRun(`
      import('node:fs').then(({ existsSync }) => { const look = setInterval(() => existsSync(${JSON.stringify(note)}) && (clearInterval(look), console.log('started')), 20) })
      await run(${JSON.stringify(inner)}, [${JSON.stringify(note)}], { quiet: true })`)}`,
    )
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(143)
    const sleeper = Number(/\d+/.exec(readFileSync(note, 'utf8'))?.[0])
    // Nothing of its group is left, or at least not for long.
    for (;;) {
      try {
        process.kill(sleeper, 0)
      } catch {
        break
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
})
