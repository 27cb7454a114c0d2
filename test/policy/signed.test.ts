import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('everything that is published is signed with the key of the server: work of two beads side by side, and their branches', async () => {
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
