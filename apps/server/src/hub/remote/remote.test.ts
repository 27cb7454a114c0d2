import { chmod, lchown, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

const personsConfig = (...args: string[]) => kit.git(kit.root, 'config', '--global', ...args)

test('the person’s own credential helper is asked for a URL, and its answer is used', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? 'nothing')
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await personsConfig('credential.helper', '!f() { echo username=ada; echo password=pass; }; f')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
  const failed = kit.hub.fetch(kit.project(url))
  await expect(failed).rejects.toMatchObject({ kind: 'auth' })
  await expect(failed).rejects.toThrow(/Make `git ls-remote/)
  expect(seen).toContain(`Basic ${Buffer.from('ada:pass').toString('base64')}`)
  await new Promise((resolve) => server.close(resolve))
})

test('hooks and redirections of the person’s configuration do not touch a path', async () => {
  const source = await kit.source('lib')
  const { program } = await kit.marker('global')
  await personsConfig('core.hooksPath', kit.root)
  await personsConfig(`url.${kit.root}/nowhere.insteadOf`, source)
  await personsConfig('core.fsmonitor', program)
  expect((await kit.hub.fetch(kit.project(source))).baseBranch).toBe('main')
})

test('ssh is the person’s own command; it is told never to ask, and has no terminal to ask on', async () => {
  const ssh = join(kit.root, 'ssh')
  const script = `#!/bin/sh\nprintf '%s ' "$@" >> '${ssh}.args'\n(: < /dev/tty) 2>/dev/null && echo tty >> '${ssh}.args'\necho 'ada@127.0.0.1: Permission denied (publickey).' >&2\nexit 255\n`
  await writeFile(ssh, script)
  await chmod(ssh, 0o755)
  await personsConfig('core.sshCommand', `${ssh} -i key`)
  for (const url of ['ssh://ada@127.0.0.1/x.git', 'ada@127.0.0.1:x.git']) {
    const failed = kit.hub.fetch(kit.project(url))
    await expect(failed).rejects.toMatchObject({ kind: 'auth' })
    await expect(failed).rejects.toThrow(/ssh-add/)
  }
  const args = await readFile(`${ssh}.args`, 'utf8')
  expect(args).toMatch(/-i key -o BatchMode=yes/)
  expect(args).not.toMatch(/tty/)
})

test('a fetch that finds the disk of the server full says so', async () => {
  const source = await kit.source('lib')
  const full = join(kit.root, 'full')
  const script = `for one; do [ "$one" = fetch ] && echo 'fatal: write error: No space left on device' >&2 && exit 128; done`
  await writeFile(full, `#!/bin/sh\n${script}\nexec git "$@"\n`)
  await chmod(full, 0o755)
  const failed = (await kit.again(full)).fetch(kit.project(source))
  await expect(failed).rejects.toMatchObject({ kind: 'no-space' })
  await expect(failed).rejects.toThrow(/^The disk of the server is full/)
})

test('a lock that a power cut left does not stop the next start', async () => {
  const source = await kit.source('lib')
  await kit.hub.fetch(kit.project(source))
  const lock = join(kit.root, 'data', 'hub', 'sample.git', 'refs', 'heads', 'main.lock')
  await writeFile(lock, '')
  const longAgo = new Date(Date.parse('2020-01-01'))
  await utimes(lock, longAgo, longAgo)
  const commit = await kit.commit(source, { b: 'b' })
  const again = await kit.again()
  await again.fetch(kit.project(source))
  expect(await again.tip(projectId, 'main')).toBe(commit)
})

test('a project waits for itself, not for another one that hangs', async () => {
  const source = await kit.source('lib')
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
  const hanging = kit.hub.fetch({ ...kit.project(url), id: 'other' as typeof projectId }, stop.signal)
  const order: string[] = []
  await Promise.all([
    kit.hub.fetch(kit.project(source)).then(() => order.push('first')),
    kit.hub.fetch(kit.project(source)).then(() => order.push('second')),
  ])
  expect(order).toEqual(['first', 'second'])
  stop.abort(new Error('enough'))
  await expect(hanging).rejects.toThrow('enough')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test.skipIf(process.getuid?.() !== 0)(
  "another user's repository that the person named is used (needs root)",
  async () => {
    const source = await kit.source('lib')
    for (const path of [source, ...(await readdir(source, { recursive: true })).map((name) => join(source, name))]) {
      await lchown(path, 10_001, 10_001)
    }
    const { commit } = await kit.hub.fetch(kit.project(source))
    await kit.hub.ensureBranch(projectId, 'beads-1', commit)
    expect(await kit.hub.publish(kit.project(source), ['beads-1'])).toEqual({ ok: true, failed: [] })
  },
)
