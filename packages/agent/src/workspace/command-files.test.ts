// @suite unit-long
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { branch, startKit, workWith, type Kit } from '../testing/session-kit.ts'

/* The branch has only earlier work; meanwhile the base branch got the agent's program. */

let kit: Kit
let files: string
beforeEach(async () => {
  kit = await startKit()
  files = await kit.hub.commit('main', {
    'tools/agent.sh': '. tools/lib.sh; work\n',
    'tools/lib.sh': 'work() { echo new > work.txt; }\n',
    'own.sh': 'echo of the base > work.txt\n',
  })
})

const run = (command: string, fresh = true) => kit.run(workWith({ name: 'command', command, model: 'm', files }, fresh))
const work = () => readFile(join(kit.workspace, 'work.txt'), 'utf8')
const warnings = () => kit.record.of('warning').map(({ text }) => text)

test('a command finds its file and the files beside it, and none of them becomes part of the work', async () => {
  expect(await run('sh tools/agent.sh && git add -A')).toMatchObject({ outcome: 'success', dirty: false })
  expect(await kit.hub.files(branch)).toEqual(['.gitignore', 'README.md', 'work.txt'])
  expect(warnings()).toEqual(["tools/agent.sh is not on this branch: the agent's command has it from the base branch"])
})

test("existing files stay as they are, even in an agent's former workspace", async () => {
  await run('true')
  await writeFile(join(kit.workspace, 'own.sh'), 'echo mine > work.txt\n')
  await run('sh ./own.sh', false)
  expect(await work()).toBe('mine\n')
  await rm(join(kit.workspace, 'own.sh'))
  await run('sh ./own.sh', false)
  expect(await work()).toBe('of the base\n')
})

test.each(['sh ../own.sh', 'sh /own.sh', "sh 'tools/*.sh'", 'sh tools/../own.sh', 'cat .git/own.sh', 'sh nowhere.sh'])(
  'nothing is put anywhere for %s',
  async (command) => {
    await run(`${command} || true`)
    expect(warnings()).toEqual([])
    expect(existsSync(join(kit.workspace, 'own.sh'))).toBe(false)
  },
)

test('a commit that the hub lacks does not keep the agent from its work', async () => {
  files = 'f'.repeat(40)
  expect(await run('echo x > work.txt; sh own.sh || true')).toMatchObject({ outcome: 'success' })
})

test('a branch that gets the file later takes it as its own', async () => {
  await run('true')
  const command = `sh own.sh && git fetch -q origin && git merge -q --no-edit ${files} && git ls-files own.sh`
  expect(await run(command, false)).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('own.sh')
})
