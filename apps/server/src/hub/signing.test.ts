import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { execution, projectId, startKit, type Kit } from './hub-kit.ts'
import { createHub } from './hub.ts'
import { signingProblem } from './try-signing.ts'

const branch = 'beadloom/work'
let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

/** A key as people make them, and the file with which git knows its signatures. */
function makeKey(passphrase = ''): { key: string; allowed: string } {
  const key = join(kit.root, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', key])
  const allowed = join(kit.root, 'allowed')
  writeFileSync(allowed, `* ${readFileSync(`${key}.pub`, 'utf8')}`)
  return { key, allowed }
}
const env = { PATH: process.env['PATH'] }
const problemOf = (key: string, more: Record<string, string> = {}) =>
  signingProblem({ format: 'ssh', key }, { ...env, ...more }, systemClock)

test('with a key of the server, every commit that the hub makes is signed, and git says so', async () => {
  const { key, allowed } = makeKey()
  const hub = await createHub({
    folder: join(kit.root, 'data', 'hub'),
    gitHome: join(kit.root, 'data', 'git-home'),
    clock: systemClock,
    env,
    signing: { format: 'ssh', key },
    mergeTracker: () => null,
  })
  const source = await kit.source('lib', { 'a.txt': 'a\n' })
  const base = (await hub.fetch(kit.project(source))).commit
  await hub.ensureBranch(projectId, branch, base)
  const work = async (name: string) => {
    await kit.git(source, 'checkout', '-q', '-B', name, base)
    const commit = await kit.commit(source, { [`${name}.txt`]: name }, `Work on ${name}`)
    await hub.fetch(kit.project(source))
    return commit
  }
  const [one, two] = [await work('one'), await work('two')]
  await hub.integrate(projectId, branch, one, 'Merge one')
  const made = await hub.candidate({ project: projectId, execution, branch, commit: two, message: 'Merge two' })
  const merged = made.result === 'conflict' ? '' : made.commit
  const flat = await hub.flatten(projectId, { onto: base, commit: two, message: 'Two' })
  const verify = (commit: string) =>
    kit.git(hub.path(projectId), '-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', commit)
  await verify(merged)
  await verify(flat)
  await expect(verify(two)).rejects.toThrow() // its author's key is not the server's
  expect(hub.signs).toBe(true)
  expect(kit.hub.signs).toBe(false)
  await hub.close()
})

describe('an unusable key is reported before anything starts', () => {
  test('a usable one is no problem', async () => {
    expect(await problemOf(makeKey().key)).toBeNull()
  })

  test('a missing one', async () => {
    expect(await problemOf(join(kit.root, 'none'))).toMatch(/the key \S+none does not exist: correct "signing"/)
  })

  test('one with a passphrase, which nobody is asked for', async () => {
    const { key } = makeKey('secret')
    expect(await problemOf(key)).toContain('cannot be used without being asked for its passphrase')
  })

  test('one with a passphrase is used through an agent that holds it', async () => {
    const { key } = makeKey()
    const said = execFileSync('ssh-agent', ['-s'], { encoding: 'utf8' })
    const [, socket = ''] = /SSH_AUTH_SOCK=([^;]+)/.exec(said) ?? []
    const [, pid = ''] = /SSH_AGENT_PID=(\d+)/.exec(said) ?? []
    try {
      execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'ignore' })
      execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'secret', '-f', key])
      expect(await problemOf(key, { SSH_AUTH_SOCK: socket })).toBeNull()
      expect(await problemOf(`${key}.pub`, { SSH_AUTH_SOCK: socket })).toBeNull()
    } finally {
      process.kill(Number(pid))
    }
  })
})
