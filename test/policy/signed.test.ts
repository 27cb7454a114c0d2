// @suite policy-long
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasGpg, Keyring } from '@beadloom/server/src/hub/openpgp-kit.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

let world: World
let keys: string
beforeAll(async () => {
  keys = mkdtempSync(join(tmpdir(), 'beadloom-keys-'))
  const key = join(keys, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  writeFileSync(join(keys, 'allowed'), `* ${readFileSync(`${key}.pub`, 'utf8')}`)
  world = await World.start({ engine: 'process', config: { signing: { format: 'ssh', key } } })
})
afterAll(async () => {
  await world.stop()
  rmSync(keys, { recursive: true, force: true })
})

test('everything published is signed with the key of the server: work of two beads side by side, and their branches', async () => {
  const agent = `cat > /tmp/prompt; id=$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt | head -1 | cut -c7-)
echo first > $id.txt; git add -A; git commit -qm "Bead $id: First"
echo second >> $id.txt; ${commitAndPush('$id', 'Second')}`
  const { remote } = await world.addProject('signed', shellProject({ agent }), [
    { id: 'si-1', title: 'One' },
    { id: 'si-2', title: 'Two' },
  ])
  const queued = await Promise.all([world.queue('signed', 'si-1'), world.queue('signed', 'si-2')])
  const ends = await Promise.all(queued.map(({ id }) => world.ended(id)))
  expect(ends.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
  const published = ['beadloom/work', ...ends.map(({ branch }) => branch)].flatMap((branch) =>
    git(remote, 'rev-list', `main..${branch}`).split('\n'),
  )
  expect(new Set(published).size).toBeGreaterThanOrEqual(2)
  const allowed = `gpg.ssh.allowedSignersFile=${join(keys, 'allowed')}`
  for (const commit of new Set(published)) git(remote, '-c', allowed, 'verify-commit', commit)
  expect(git(remote, 'show', 'beadloom/work:si-1.txt')).toBe('first\nsecond')
  expect(git(remote, 'show', 'beadloom/work:si-2.txt')).toBe('first\nsecond')
})

test.runIf(hasGpg)(
  'a key of GnuPG signs as well, and a missing key is reported, with nothing published unsigned',
  async () => {
    const keyring = new Keyring()
    const signing = { format: 'openpgp', key: keyring.addKey('server') }
    const other = await World.start({ engine: 'process', env: keyring.env, config: { signing } })
    try {
      const agent = `echo work > $(date +%N).txt; ${commitAndPush('gp-1', 'Work')}`
      const { remote } = await other.addProject('pgp', shellProject({ agent }), [
        { id: 'gp-1', title: 'One' },
        { id: 'gp-2', title: 'Two' },
      ])
      const first = await other.ended((await other.queue('pgp', 'gp-1')).id)
      expect(first).toMatchObject({ state: 'COMPLETED' })
      for (const commit of git(remote, 'rev-list', 'main..beadloom/work').split('\n'))
        execFileSync('git', ['-C', remote, 'verify-commit', commit], {
          env: { ...process.env, ...keyring.env },
          stdio: 'pipe',
        })

      const published = git(remote, 'log', '-1', '--format=%H', 'beadloom/work')
      keyring.empty()
      const second = await other.ended((await other.queue('pgp', 'gp-2')).id)
      expect(second).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
      expect(second.detail).toMatch(/^Gpg has no secret key .* Import it there .* Then run the bead again\./)
      expect(git(remote, 'log', '-1', '--format=%H', 'beadloom/work')).toBe(published)
    } finally {
      await other.stop()
      keyring.remove()
    }
  },
)
