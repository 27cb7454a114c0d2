import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beadloom, CommandLine, startedServer } from '../support/command-line.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'

/* A server, as a separate process, refuses to start. */
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-start-'))
  chmodSync(folder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const refused = async (args: string[], options: Parameters<typeof beadloom>[1] = {}, exit = 1) => {
  const { code, stdout, stderr } = await beadloom(['start', '--port', '0', '--no-demo', ...args], options)
  expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
  expect(stderr).toMatch(/^beadloom: /)
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}
describe('a start that cannot work ends with a sentence that says what to do', () => {
  test.concurrent('when another server uses the data folder', async () => {
    const data = join(folder, 'taken')
    const { line, up } = await startedServer(data)
    expect(await refused(['--data', data])).toBe(
      `beadloom: another Beadloom server uses ${data}: stop it (Ctrl+C where it runs), or start this one with another data folder. It is running at ${up.url} (beadloom status --data ${data})\n`,
    )
    // The running server is unharmed.
    expect((await beadloom(['status', '--data', data])).code).toBe(0)
    line.child.kill('SIGTERM')
    await line.ended
  })

  test.concurrent('when the port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect(await refused(['--data', join(folder, 'port'), '--port', String(port)])).toContain(
      `port ${port} on 127.0.0.1 is in use, perhaps by another Beadloom. Choose another port with --port`,
    )
    other.close()
  })

  longTest.concurrent('when a file is in the way of the data folder', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    for (const data of [file, join(file, 'below')]) {
      expect(await refused(['--data', data])).toMatch(
        new RegExp(`the data folder ${data} cannot be used .*Choose another one with --data`),
      )
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
    // The system refuses this folder as if its parent were missing.
    expect(await refused(['--data', '/proc/beadloom/data'])).toContain(
      'the data folder /proc/beadloom/data cannot be used',
    )
  })

  longTest.concurrent('when the data folder may not be written', async () => {
    const data = join(folder, 'read-only')
    mkdirSync(data, { mode: 0o555 })
    // Root may write everywhere.
    const options = process.getuid?.() === 0 ? { uid: 65_534, env: { HOME: '/nonexistent' } } : {}
    expect(await refused(['--data', data], options)).toMatch(
      new RegExp(`cannot write to the data folder ${data} .*use another data folder`),
    )
    expect(await refused(['--data', join(data, 'below')], options)).toContain(
      `the data folder ${join(data, 'below')} cannot be used (EACCES`,
    )
  })

  test.concurrent('when settings are invalid: all of them at once, each by its name', async () => {
    const data = join(folder, 'settings')
    mkdirSync(data)
    writeFileSync(join(data, 'config.json'), JSON.stringify({ colour: 'red', demo: 'perhaps' }))
    const stderr = await refused(['--data', data, '--port', '99999', '--host', '0.0.0.0'], {
      env: { BEADLOOM_SLOTS: 'many', OPENAI_BASE_URL: 'nonsense' },
    })
    for (const name of ['--port', '--host', 'BEADLOOM_SLOTS', 'OPENAI_BASE_URL', '"colour"', '"demo"'])
      expect(stderr).toContain(name)
    expect(await refused(['--data', join(folder, 'flags'), '--port', '99999'], {}, 2)).toContain('--port')
    writeFileSync(join(data, 'config.json'), '{')
    expect(await refused(['--data', data])).toContain('config.json: not JSON')
    rmSync(join(data, 'config.json'))
    mkdirSync(join(data, 'config.json'))
    expect(await refused(['--data', data])).toContain(`${join(data, 'config.json')} is a folder and not a file`)
  })

  longTest.concurrent('when an address, a key or a file is impossible', async () => {
    const data = ['--data', join(folder, 'addresses')]
    expect(await refused(data, { env: { OPENAI_BASE_URL: 'http://me:secret@example.org/' } })).toContain(
      'OPENAI_BASE_URL contains a user name or password',
    )
    expect(await refused(data, { env: { OPENAI_API_KEY: 'two words' } })).toContain(
      'OPENAI_API_KEY has characters that cannot be part of a key',
    )
    expect(await refused(data, { env: { DOCKER_HOST: 'nonsense://' } })).toContain(
      'DOCKER_HOST cannot be "nonsense://"',
    )
    expect(await refused(data, { env: { PATH: folder } })).toContain('git is not installed')
    const both = await refused([...data, '--ca-bundle', '/nowhere.pem', '--scenarios', '/nowhere'])
    expect(both).toContain('/nowhere.pem cannot be read')
    expect(both).toContain('there is no folder /nowhere')
  })
})

longDescribe('a data folder that others prepared', () => {
  longTest.concurrent.each([
    'beadloom.db',
    'beadloom.db.lock',
    'beadloom.db-wal',
    'config.json',
    'place.json',
    'server.json',
    'token',
  ])('with a pipe or a folder in the place of %s causes no wait and is not used', async (name) => {
    const data = join(folder, `pipe-${name}`)
    mkdirSync(data)
    execFileSync('mkfifo', [join(data, name)])
    expect(await refused(['--data', data])).toContain(`${join(data, name)} is a pipe (FIFO)`)
    rmSync(join(data, name))
    mkdirSync(join(data, name))
    expect(await refused(['--data', data])).toContain(`${join(data, name)} is a folder`)
  })

  longTest.concurrent('is closed to others, which is said once', async () => {
    const data = join(folder, 'open')
    mkdirSync(data)
    chmodSync(data, 0o777)
    for (const said of [/^beadloom: others could enter the data folder .* \(mode 0777\).*closed to them now/, /^$/]) {
      const { line } = await startedServer(data)
      line.child.kill('SIGTERM')
      expect((await line.ended).stderr).toMatch(said)
      expect(statSync(data).mode & 0o777).toBe(0o700)
    }
  })

  longTest.skipIf(process.getuid?.() !== 0)('is refused if it belongs to another user who lets others in', async () => {
    const data = join(folder, 'theirs')
    mkdirSync(data)
    chmodSync(data, 0o777)
    chownSync(data, 65_534, 65_534)
    expect(await refused(['--data', data])).toContain('it belongs to user 65534, not to you (0)')
    expect(statSync(data).mode & 0o777).toBe(0o777)
  })
})

describe('without Docker', () => {
  test.concurrent('the server is up, says that nothing runs, and what to do', async () => {
    const line = new CommandLine(['start', '--data', join(folder, 'away'), '--port', '0'], {
      env: { DOCKER_HOST: 'tcp://127.0.0.1:1' },
    })
    await line.says(/✕ Nothing can run until Docker answers: .*set DOCKER_HOST/)
    expect(line.stdout).toContain('Beadloom is up: http://127.0.0.1:')
    line.child.kill('SIGTERM')
    await line.ended
  })
})
