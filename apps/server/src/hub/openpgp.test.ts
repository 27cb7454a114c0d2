// @suite unit-long
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { execution, projectId, startKit, type Kit } from './hub-kit.ts'
import { createHub } from './hub.ts'
import { hasGpg, Keyring } from './openpgp-kit.ts'
import { signingProblem } from './try-signing.ts'

const branch = 'beadloom/work'

describe.runIf(hasGpg)('a key of GnuPG', () => {
  let keyring: Keyring
  let key: string
  beforeAll(() => {
    keyring = new Keyring()
    key = keyring.addKey('plain')
  })
  afterAll(() => keyring.remove())

  const problemOf = (of: string, env: Record<string, string | undefined> = keyring.env) =>
    signingProblem({ format: 'openpgp', key: of }, env, systemClock)

  describe("signs the hub's own commits", () => {
    let kit: Kit
    beforeEach(async () => {
      kit = await startKit()
    })
    afterEach(() => kit.close())

    test('merges and beads of one commit, and git says so', async () => {
      const hub = await createHub({
        folder: join(kit.root, 'data', 'hub'),
        gitHome: join(kit.root, 'data', 'git-home'),
        clock: systemClock,
        env: keyring.env,
        signing: { format: 'openpgp', key },
        mergeTracker: () => null,
      })
      const source = await kit.source('lib', { 'a.txt': 'a\n' })
      const base = (await hub.fetch(kit.project(source))).commit
      await hub.ensureBranch(projectId, branch, base)
      await kit.git(source, 'checkout', '-q', '-B', 'one', base)
      const commit = await kit.commit(source, { 'one.txt': 'one' }, 'Work')
      await hub.fetch(kit.project(source))
      const flat = await hub.flatten(projectId, { onto: base, commit, message: 'One' })
      const made = await hub.candidate({ project: projectId, execution, branch, commit: flat, message: 'Merge one' })
      const merged = made.result === 'conflict' ? '' : made.commit
      for (const signed of [flat, merged])
        execFileSync('git', ['-C', hub.path(projectId), 'verify-commit', signed], {
          env: { ...process.env, ...keyring.env },
          stdio: 'pipe',
        })
      await hub.close()
    })
  })

  test.each([
    ['by its fingerprint', () => key],
    ['by its address', () => 'plain@example.org'],
    ['by the end of its fingerprint', () => `0x${key.slice(-16)}`],
    ['by itself, without the other keys of its person', () => `${key}!`],
  ])('can be named %s', async (_, name) => {
    expect(await problemOf(name())).toBeNull()
  })

  test('is found where GNUPGHOME says, even without a home', async () => {
    expect(await problemOf(key, { PATH: keyring.env.PATH, GNUPGHOME: keyring.folder })).toBeNull()
  })

  test('with a passphrase is used for as long as the agent holds it, and then said to want one', async () => {
    const locked = keyring.addKey('locked', { passphrase: 'secret' })
    keyring.unlock(locked, 'secret')
    expect(await problemOf(locked)).toBeNull()
    keyring.forget()
    expect(await problemOf(locked)).toMatch(/wants a passphrase, and nobody can be asked.*let gpg-agent keep it/)
  })

  test('that is not in the keyring is reported missing', async () => {
    expect(await problemOf('A'.repeat(40))).toMatch(/gpg has no secret key A{40} .*Import it there \(gpg --import\)/)
  })

  test('that has expired is reported as expired', async () => {
    const old = keyring.addKey('old', { expires: 'seconds=1' })
    await expect.poll(() => problemOf(old), { timeout: 20_000 }).toMatch(/cannot sign any more.*it has expired/)
  })

  test('is of no use without gpg, which is reported', async () => {
    const bin = join(keyring.home, 'bin')
    mkdirSync(bin)
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    symlinkSync(git, join(bin, 'git'))
    expect(await problemOf(key, { ...keyring.env, PATH: bin })).toMatch(/^gpg was not found: install it/)
  })
})
