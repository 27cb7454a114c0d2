// @suite policy-long
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

const start = worldsOfATest()

test('hooks of a repository by its path do not run, and each publish says so', async () => {
  const world = await start()
  const agent = `cat > /dev/null; date +%N > made; ${commitAndPush('h-1', 'Make it')}`
  const { remote } = await world.addProject('hooked', shellProject({ agent, config: { test: 'true' } }), [
    { id: 'h-1', title: 'Make it' },
    { id: 'h-2', title: 'Make it' },
  ])
  mkdirSync(join(remote, 'hooks'), { recursive: true })
  const ran = join(world.folder, 'ran')
  writeFileSync(join(remote, 'hooks', 'post-receive'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  for (const bead of ['h-1', 'h-2']) {
    const ended = await world.run('hooked', bead)
    expect(ended.state).toBe('COMPLETED')
    expect(ended.detail).toMatch(/ and published\. The hooks of .* did not run \(post-receive\)/)
  }
  expect(existsSync(ran)).toBe(false)
})
